/** Asks what a query means, and lets the nearest sections take part even where they have none of its words. */
import type { MeantWord, Near } from "../contract/meaning.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { findIn } from "./lower-bound.ts";
import type { Candidates } from "./retrieve.ts";

/** Not without a reader of meaning, and not for code, which is found by its letters. */
export function canReadMeaning(index: OpenedIndex, { typed, limits }: Candidates): boolean {
  return (
    index.readMeaning !== undefined && !limits && !typed.some(({ isCode, isLiteral }) => isCode || isLiteral)
  );
}

export function readMeaning(index: OpenedIndex, candidates: Candidates): Near | null {
  return index.readMeaning?.(candidates.typed.map((_, at) => meantWord(index, candidates, at))) ?? null;
}

function meantWord(index: OpenedIndex, { typed, words, stopWords }: Candidates, at: number): MeantWord {
  const { word } = typed[at]!;
  const { expansions, sequences } = words[at]!;
  const best = expansions.reduce<{ term: number; weight: number } | null>(
    (most, one) => (most && most.weight >= one.weight ? most : one),
    null,
  );
  const found = best && index.dictionary.term(best.term);
  const isStopWord = (stopWords & (1 << at)) !== 0;
  return {
    typed: word,
    found: found === word ? null : found,
    isFound: best !== null,
    isGuess: sequences.length === 0 && expansions.every(({ kind }) => kind === "typo"),
    isStopWord,
  };
}

/** The candidates and, after them, the near sections that are not among them, in the order of sections. */
export function withNear(candidates: Candidates, near: readonly number[]): Candidates {
  const { units, scores, masks, total } = candidates;
  const added = near.filter((unit) => findIn(units, unit) < 0).sort((a, b) => a - b);
  const length = units.length + added.length;
  const all = {
    units: new Uint32Array(length),
    scores: new Float32Array(length),
    masks: new Uint32Array(length),
  };
  all.units.set(units);
  all.units.set(added, units.length);
  all.scores.set(scores);
  all.masks.set(masks);
  return { ...candidates, ...all, total: total + added.length };
}
