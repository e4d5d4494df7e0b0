import type { BlockMatch } from "../query/block-match.ts";

/** One candidate, as rules judge it. */
export interface RuleMatch {
  /** Blocks of the unit that have words of the query. */
  blocks: readonly BlockMatch[];
  /** Bit `w` = has query word `w` in some form. */
  mask: number;
  /** Rarity of each query word. */
  rarities: readonly number[];
  /** Bit `w` = a stop word. */
  stopWords: number;
  /** First-stage score, 0 to 1. */
  firstScore: number;
  /** The query is one identifier, as code writes it. */
  isIdentifier: boolean;
  /** Number of units in the index. */
  unitCount: number;
  /** 0 to 1: what the other sections of its page say about the query, if it stands for the page. */
  support: number;
  /** 0 to 1: how near it is to what the query means; absent where no one reads meaning. */
  meaning?: number;
}

/** One reason to rank a candidate before another. */
export interface Rule {
  readonly name: string;
  /** 0 to 1, more is better. Depends on nothing but the match. */
  score(match: RuleMatch): number;
}
