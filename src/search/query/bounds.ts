/** Limits that let a search skip units: the least score of the best units, and the most that some words can add. */
import { selectHighest } from "../contract/select.ts";
import type { WordMatches } from "./word-matches.ts";

/** Matches of one query word, or of several written as one: then a source for each. */
export interface Source {
  matches: WordMatches;
  /** Number of the query word. */
  word: number;
  /** 0 to 1. */
  weight: number;
}

/** Allows for what rounding to 32 bits may have added to a sum or taken from it. */
export const ROUNDING = 1.00001;

/** Turns an impact into what it adds to a score. */
export function factorOf({ word, weight }: Source, rarities: readonly number[]): number {
  return (weight * rarities[word]!) / 255;
}

/**
 * The first of the sources which alone, with those after it and the helpers, cannot lift a unit among the best `needed` (their number if
 * all can), and the score that the best have at least: that of the last needed unit of the best single word. null if no
 * word has so many units.
 */
export function findBounds(
  sources: readonly Source[],
  helpers: readonly Source[],
  rarities: readonly number[],
  needed: number,
): { first: number; least: number } | null {
  const share = shareFactor(rarities);
  let least = 0;
  let seen = 0;
  for (const source of sources) {
    const bit = 1 << source.word;
    // A later source of the same word may be weaker.
    if ((seen & bit) === 0) {
      least = Math.max(least, lastOfBest(source.matches, needed) * factorOf(source, rarities) * share(bit));
    }
    seen |= bit;
  }
  if (least === 0) return null;
  const first = sources.findIndex((_, at) => {
    const { mask, sum } = mostOf([...sources.slice(at), ...helpers], rarities);
    return at > 0 && sum * share(mask) * ROUNDING < least;
  });
  return { first: first < 0 ? sources.length : first, least };
}

const lastsOfBest = new WeakMap<WordMatches, { needed: number; score: number }>();

/** The score of the `needed`th best unit; 0 if there are fewer. */
function lastOfBest(matches: WordMatches, needed: number): number {
  const { scores } = matches;
  if (scores.length < needed) return 0;
  const known = lastsOfBest.get(matches);
  if (known?.needed === needed) return known.score;
  const score = scores[selectHighest(scores, scores.length, needed).at(-1)!]!;
  lastsOfBest.set(matches, { needed, score });
  return score;
}

/** The words that a unit can have by these sources, and the most that they can add to its sum. */
export function mostOf(
  sources: readonly Source[],
  rarities: readonly number[],
): { mask: number; sum: number } {
  const most = rarities.map(() => 0);
  let mask = 0;
  for (const { matches, word, weight } of sources) {
    most[word] = Math.max(most[word]!, (weight * rarities[word]! * matches.most) / 255);
    mask |= 1 << word;
  }
  return { mask, sum: most.reduce((whole, one) => whole + one, 0) };
}

/** The square of the part of the query that a mask's words are, by their rarity. Neighbours mostly have the same mask. */
export function shareFactor(rarities: readonly number[]): (mask: number) => number {
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  let lastMask = 0;
  let factor = 0;
  return (mask) => {
    if (mask === lastMask) return factor;
    lastMask = mask;
    let part = 0;
    for (let word = 0; word < rarities.length; word++) if (mask & (1 << word)) part += rarities[word]!;
    factor = (part / whole) ** 2;
    return factor;
  };
}
