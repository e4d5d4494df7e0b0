/** One document that stands alone, read and ranked by every rule in turn. */
import type { OpenedIndex } from "../reader/open-index.ts";
import { typoLimit } from "../query/expand-word.ts";
import type { Candidates } from "../query/retrieve.ts";
import type { BlockMatch } from "../query/block-match.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { TermMarks } from "../query/term-marks.ts";
import type { DocumentMatch, MatchedValue, RankedWord } from "../rules/ranked/document-match.ts";
import { type Rank, SKIPPED } from "../rules/ranked/rank.ts";
import { wordsRule } from "../rules/ranked/words.ts";
import type { RankingStep } from "./order-rules.ts";

/** For each step the ranks of its rule; orders by values have none. */
export type StepRanks = readonly (readonly Rank[])[];

/** Words between two values of a list: no distance in the text goes across. */
const BETWEEN_VALUES = 8;

export function createDocumentRanker(
  index: OpenedIndex,
  candidates: Candidates,
  steps: readonly RankingStep[],
  marks: TermMarks,
): { read: (unit: number, kept: number) => StepRanks; skip: (kept: number) => StepRanks } {
  const words = candidates.typed.map(({ word, isLiteral }): RankedWord => {
    const isKnown = index.dictionary.find(word) >= 0;
    return { mostTypos: isLiteral ? 0 : Math.max(1, typoLimit(word, index.settings.typo)), isKnown };
  });
  const lastImportance = Math.max(0, index.settings.searchableAttributes.length - 1);

  function read(unit: number, kept: number): StepRanks {
    const values = valuesOf(index, unit, scanUnit(index, unit, marks, candidates.limits));
    let match: DocumentMatch = { words, kept, values, lastImportance };
    return steps.map((step) => {
      if (step.kind !== "rule") return [];
      const ranks = step.rule.ranks(match);
      match = step.rule.narrow?.(match) ?? match;
      return ranks;
    });
  }

  /** Without reading it: the words that it has are known. */
  function skip(kept: number): StepRanks {
    const match = { words, kept, values: [], lastImportance };
    return steps.map((step) =>
      step.kind !== "rule" ? [] : step.rule === wordsRule ? wordsRule.ranks(match) : [SKIPPED],
    );
  }

  return { read, skip };
}

function valuesOf(index: OpenedIndex, unit: number, matches: readonly BlockMatch[]): MatchedValue[] {
  const { unitBlocks, blockAttributes, blockStarts } = index;
  const [first, end] = [unitBlocks[unit]!, unitBlocks[unit + 1]!];
  return matches.map(({ block, field, attribute, length, occurrences }) => {
    let before = 0;
    for (let at = block - 1; at >= first && blockAttributes[at] === attribute; at--) {
      before += blockStarts[at + 1]! - blockStarts[at]! + BETWEEN_VALUES;
    }
    const isLast = block + 1 === end || blockAttributes[block + 1] !== attribute;
    return { importance: field, before, isWhole: before === 0 && isLast, length, occurrences };
  });
}
