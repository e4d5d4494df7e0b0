/**
 * Candidates of the first stage → the order of the hits.
 *
 *   all candidates     by the steps that need no reading (sort, custom rules, words), then by first score
 *   the best of them   read and ordered by all steps
 *
 * How many are read does not depend on the page that was asked for: so the order is one and the same for all pages,
 * and no hit is lost or comes twice.
 */
import type { OpenedIndex } from "../open-index.ts";
import type { Candidates } from "../query/retrieve.ts";
import type { TermMarks } from "../query/term-marks.ts";
import type { RuleMatch } from "../rules/rule.ts";
import type { Work } from "../work.ts";
import type { RankingStep } from "./order-rules.ts";
import { rankDocuments } from "./rank-documents.ts";
import { rankSections } from "./rank-sections.ts";

/** Candidates that passed all conditions, by position in the arrays of `Candidates`. */
export interface Admitted {
  candidates: Candidates;
  positions: Uint32Array;
  /** How many there are; more than positions where only the best were looked for. */
  total: number;
  /** The first document of a candidate that passes the filter, by position. */
  documentOf: (position: number) => number;
  /** Bits of the words that count for a candidate, by position. */
  keptOf: (position: number) => number;
}

export interface Ranked {
  /** Index in `positions`. */
  at: number;
  /** Of a section; null beyond those that were read. */
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
}

/** Words of a unit, the joined forms among them. */
export function wordsOf({ blockStarts, unitBlocks }: OpenedIndex, unit: number): number {
  return blockStarts[unitBlocks[unit + 1]!]! - blockStarts[unitBlocks[unit]!]!;
}

export function rankCandidates(index: OpenedIndex, admitted: Admitted, options: RankOptions): Ranked[] {
  return index.settings.hierarchy
    ? rankSections(index, admitted, options)
    : rankDocuments(index, admitted, options);
}
