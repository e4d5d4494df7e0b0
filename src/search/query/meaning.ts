/** Asks what a query means, and lets the nearest sections take part even where they have none of its words. */
import type { MeantWord, Near } from "../contract/meaning.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { findIn } from "./lower-bound.ts";
import type { Candidates } from "./retrieve.ts";

/** null: without a reader of meaning, and for code, which is found by its letters. */
export function readMeaning(index: OpenedIndex, candidates: Candidates): Near | null {
  const { typed, limits } = candidates;
  if (!index.readMeaning || limits || typed.some(({ isCode, isLiteral }) => isCode || isLiteral)) return null;
  return index.readMeaning(typed.map((_, at) => meantWord(index, candidates, at)));
}

function meantWord(index: OpenedIndex, { typed, words }: Candidates, at: number): MeantWord {
  const { word } = typed[at]!;
  const best = words[at]!.expansions.reduce<{ term: number; weight: number } | null>(
    (most, one) => (most && most.weight >= one.weight ? most : one),
    null,
  );
  const found = best && index.dictionary.term(best.term);
  return { typed: word, found: found === word ? null : found };
}

/** The candidates with the near sections among them, in the order of sections. */
export function withNear(candidates: Candidates, near: readonly number[]): Candidates {
  const { units, scores, masks, total } = candidates;
  const added = near.filter((unit) => findIn(units, unit) < 0).sort((a, b) => a - b);
  if (added.length === 0) return candidates;
  const length = units.length + added.length;
  const all = {
    units: new Uint32Array(length),
    scores: new Float32Array(length),
    masks: new Uint32Array(length),
  };
  for (let to = 0, from = 0, next = 0; to < length; to++) {
    const isNext = next < added.length && (from === units.length || added[next]! < units[from]!);
    all.units[to] = isNext ? added[next++]! : units[from]!;
    if (isNext) continue;
    all.scores[to] = scores[from]!;
    all.masks[to] = masks[from++]!;
  }
  return { ...candidates, ...all, total: total + added.length };
}
