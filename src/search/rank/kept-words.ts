/**
 * Which words of the query count for a document that has some of them. Words are given up one after the other, and a
 * document has all that are left:
 *
 *   captain supercopter marvel    last        captain; captain supercopter; all three
 *                                 frequency   rarest first: marvel; captain marvel; all three
 *                                 all         all three
 *
 * A quoted phrase is never given up; without one, neither is the last word left.
 */
import type { SearchQuery } from "../contract/types.ts";

/** Bits of words that a document has → bits of those that count; 0 = the document does not match. */
export type KeptWords = (mask: number) => number;

export interface StrategyWord {
  isLiteral: boolean;
  /** Never required: documents are found without it. */
  isStopWord: boolean;
  /** Documents that have it, in whatever form. */
  frequency: number;
}

export function keptWords(words: readonly StrategyWord[], matching: SearchQuery["matching"]): KeptWords {
  const literal = bitsOf(words, ({ isLiteral }) => isLiteral);
  const asked = bitsOf(words, isAsked);
  const groups = matching === "all" ? [asked] : matching === "frequency" ? byRarity(words) : inOrder(words);
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

const isAsked = ({ isLiteral, isStopWord }: StrategyWord) => !isLiteral && !isStopWord;

function bitsOf(words: readonly StrategyWord[], has: (word: StrategyWord) => boolean): number {
  return words.reduce((bits, one, word) => (has(one) ? bits | (1 << word) : bits), 0);
}

function inOrder(words: readonly StrategyWord[]): number[] {
  return words.flatMap((one, word) => (isAsked(one) ? [1 << word] : []));
}

/** Equally frequent words go together; a word that no document has is the first to go. */
function byRarity(words: readonly StrategyWord[]): number[] {
  const groups = new Map<number, number>();
  words.forEach((one, word) => {
    const key = one.frequency === 0 ? Infinity : one.frequency;
    if (isAsked(one)) groups.set(key, (groups.get(key) ?? 0) | (1 << word));
  });
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
