import { type DocumentMatch, keptWordsOf, type MatchedValue } from "./document-match.ts";
import { scoreOf } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";

/** Larger distances are all treated alike. */
const FARTHEST = 4;

/**
 * The query's neighbouring words close together and in the same order before words that are far apart. Each pair counts
 * where it is closest: another pair may be closest in another attribute.
 */
export const proximityRule: RankedRule = {
  name: "proximity",
  ranks(match) {
    const pairs = keptWordsOf(match).filter((word) => match.kept & (2 << word));
    const most = 1 + pairs.length * (FARTHEST - 1);
    if (pairs.length === 0) return [{ rank: 1, most: 1 }];
    const distances = closest(match);
    return [{ rank: most - pairs.reduce((sum, word) => sum + distances[word]!, 0), most }];
  },
  details: ([proximity]) => ({ score: scoreOf(proximity!) }),
};

/** By the first word of each pair: 0 side by side, one more for each word between, and one for the wrong order. */
function closest({ words, values }: DocumentMatch): number[] {
  const distances = words.map(() => FARTHEST - 1);
  for (const value of values) addDistances(value, distances);
  return distances;
}

function addDistances({ occurrences }: MatchedValue, distances: number[]): void {
  // The last end of each word.
  const ends = distances.map(() => -FARTHEST * 2);
  const note = (pair: number, distance: number) => {
    if (distance < distances[pair]!) distances[pair] = Math.max(0, distance);
  };
  for (const { position, length, mask } of occurrences) {
    for (let bits = mask; bits !== 0; bits &= bits - 1) {
      const word = 31 - Math.clz32(bits & -bits);
      if (mask & (2 << word)) note(word, 0);
      if (word > 0) note(word - 1, position - ends[word - 1]!);
      if (word + 1 < ends.length) note(word, position - ends[word + 1]! + 1);
    }
    for (let bits = mask; bits !== 0; bits &= bits - 1)
      ends[31 - Math.clz32(bits & -bits)] = position + length;
  }
}
