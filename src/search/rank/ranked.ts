import type { Near } from "../contract/meaning.ts";
import type { TermMarks } from "../query/term-marks.ts";
import type { RuleMatch } from "../rules/rule.ts";
import type { Work } from "../contract/work.ts";
import type { RankingStep } from "./order-rules.ts";

export interface Ranked {
  /** Index in `positions`. */
  at: number;
  /** For a section; null beyond those that were read. */
  match: RuleMatch | null;
  score: number;
}

export interface RankOptions {
  steps: readonly RankingStep[];
  /** How many to return at least, if there are so many. */
  count: number;
  marks: TermMarks;
  work: Work;
  isLate: () => boolean;
  /** What the query means, where someone reads it. */
  near: Near | null;
}
