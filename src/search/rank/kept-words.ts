/**
 * Which words of the query count for a document that has some of them. Words are given up one after the other, and a
 * document has all that are left:
 *
 *   captain supercopter marvel    last        captain; captain supercopter; all three
 *                                 frequency   rarest first: marvel; captain marvel; all three
 *                                 all         all three
 *
 * What stands in quotes is never given up; where nothing does, the last word left is not either.
 */
import type { SearchQuery } from "../types.ts";

/** Bits of words that a document has → bits of those that count; 0 = the document is none that was asked for. */
export type KeptWords = (mask: number) => number;

export interface StrategyWord {
  isLiteral: boolean;
  /** Documents that have it, in whatever form. */
  frequency: number;
}

export function keptWords(words: readonly StrategyWord[], matching: SearchQuery["matching"]): KeptWords {
  const whole = (1 << words.length) - 1;
  const literal = words.reduce((bits, { isLiteral }, word) => (isLiteral ? bits | (1 << word) : bits), 0);
  const groups =
    matching === "all" ? [whole & ~literal] : matching === "frequency" ? byRarity(words) : inOrder(words);
  const isStrict = matching === "all";
  return (mask) => {
    if ((mask & literal) !== literal) return 0;
    let kept = literal;
    for (const group of groups) {
      if ((mask & group) !== group) return isStrict ? 0 : kept;
      kept |= group;
    }
    return kept;
  };
}

function inOrder(words: readonly StrategyWord[]): number[] {
  return words.flatMap(({ isLiteral }, word) => (isLiteral ? [] : [1 << word]));
}

/** Equally frequent words go together; a word that no document has is the first to go. */
function byRarity(words: readonly StrategyWord[]): number[] {
  const groups = new Map<number, number>();
  words.forEach(({ isLiteral, frequency }, word) => {
    const key = frequency === 0 ? Infinity : frequency;
    if (!isLiteral) groups.set(key, (groups.get(key) ?? 0) | (1 << word));
  });
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
