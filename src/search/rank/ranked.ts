import type { Near } from "../contract/meaning.ts";
import type { Admitted } from "./admit.ts";
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
  /** null: no one reads what queries mean, or this one is code or a phrase. */
  meaning: AskMeaning | null;
}

export interface AskMeaning {
  read: () => Near | null;
  /** Lets sections without a word of the query take part, after all others. */
  admit: (units: readonly number[]) => Admitted;
  /** No filter and no other condition leaves out a section. */
  seesAll: boolean;
}

/** The order, and what its places mean: near sections may have been added. */
export interface RankedAdmitted {
  admitted: Admitted;
  ranked: Ranked[];
}
