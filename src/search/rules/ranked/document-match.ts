import type { Occurrence } from "../../query/block-match.ts";

/** One word of the query, as rules see it. */
export interface RankedWord {
  /** Forgiven typos, as the settings have it; at least one where the word may also be two. */
  mostTypos: number;
  /** Whether some document has it as it was typed. */
  isKnown: boolean;
}

/** A value of a document that has words of the query. */
export interface MatchedValue {
  /** Place of its attribute among the searchable ones; 0 is the most important. */
  importance: number;
  /** Words of the attribute before this value; more than 0 only in lists. */
  before: number;
  /** Whether it is all that the attribute has. */
  isWhole: boolean;
  /** Words in the value. */
  length: number;
  /** In order of position. */
  occurrences: readonly Occurrence[];
}

/** One document, as rules rank it. */
export interface DocumentMatch {
  /** The query's words, in order. */
  words: readonly RankedWord[];
  /** Bits of those that count for this document (rank/kept-words.ts). */
  kept: number;
  values: readonly MatchedValue[];
  /** The least important place of an attribute. */
  lastImportance: number;
}

/** Weight of a word found as it was typed, except for rounding. */
const EXACT = 0.999;

export function isExact({ weight }: Occurrence): boolean {
  return weight >= EXACT;
}

/** Numbers of the words that count. */
export function keptWordsOf({ words, kept }: DocumentMatch): number[] {
  const numbers: number[] = [];
  for (let word = 0; word < words.length; word++) if (kept & (1 << word)) numbers.push(word);
  return numbers;
}

/** The least that any occurrence of each counting word costs, summed up. */
export function sumOfLeast(
  match: DocumentMatch,
  cost: (word: number, occurrence: Occurrence, value: MatchedValue) => number,
  most: number,
): number {
  const { words, kept, values } = match;
  const least = words.map(() => most);
  for (const value of values) {
    for (const occurrence of value.occurrences) {
      for (let bits = occurrence.mask & kept; bits !== 0; bits &= bits - 1) {
        const word = 31 - Math.clz32(bits & -bits);
        const costs = cost(word, occurrence, value);
        if (costs < least[word]!) least[word] = costs;
      }
    }
  }
  return least.reduce((sum, one, word) => (kept & (1 << word) ? sum + one : sum), 0);
}
