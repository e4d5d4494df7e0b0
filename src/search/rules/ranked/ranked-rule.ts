import type { Json } from "../../contract/types.ts";
import type { DocumentMatch } from "./document-match.ts";
import type { Rank } from "./rank.ts";

/** One reason to rank a document before another, where documents stand alone. */
export interface RankedRule {
  readonly name: string;
  /** Ranks that decide one after the other. Depends on nothing but the match. */
  ranks(match: DocumentMatch): readonly Rank[];
  /** The match for the rules after this one: only the parts that made the document's rank. Absent: everything. */
  narrow?(match: DocumentMatch): DocumentMatch;
  /** The content of `showRankingScoreDetails`, by Meilisearch's names. */
  details(ranks: readonly Rank[]): { [detail: string]: Json };
}
