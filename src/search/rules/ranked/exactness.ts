import type { Json } from "../../contract/types.ts";
import { type DocumentMatch, isExact, keptWordsOf, type MatchedValue } from "./document-match.ts";
import { type Rank, scoreOf, wholeScore } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";

/** From the worst to the best, as ranks count. */
const MATCH_TYPES = ["noExactMatch", "matchesStart", "exactMatch"] as const;

/** An attribute that is the query, then one that begins with it; then more words as they were typed before fewer. */
export const exactnessRule: RankedRule = {
  name: "exactness",
  ranks: (match) => [{ rank: matchType(match) + 1, most: MATCH_TYPES.length }, exactWords(match)],
  details([type, words]): { [detail: string]: Json } {
    const matchType = MATCH_TYPES[type!.rank - 1]!;
    if (matchType !== "noExactMatch") return { matchType, score: scoreOf(type!) };
    return {
      matchType,
      matchingWords: words!.rank - 1,
      maxMatchingWords: words!.most - 1,
      score: wholeScore([type!, words!]),
    };
  },
};

/** Number of the type; words that no document has as they were typed are not required. */
function matchType(match: DocumentMatch): number {
  const asked = keptWordsOf(match).filter((word) => match.words[word]!.isKnown);
  const isGapless = asked.every((word, at) => word - (at === 0 ? 0 : asked[at - 1]!) <= (at === 0 ? 0 : 1));
  if (asked.length === 0 || !isGapless) return 0;
  const starting = match.values.filter((value) => startsWith(value, asked));
  if (starting.length === 0) return 0;
  return starting.some(({ isWhole, length }) => isWhole && length === asked.length) ? 2 : 1;
}

function startsWith({ before, occurrences }: MatchedValue, asked: readonly number[]): boolean {
  if (before > 0) return false;
  return asked.every((word) =>
    occurrences.some((one) => one.position === word && one.mask & (1 << word) && isExact(one)),
  );
}

function exactWords({ words, kept, values }: DocumentMatch): Rank {
  let exact = 0;
  let all = 0;
  for (let word = 0; word < words.length; word++) {
    if ((kept & (1 << word)) === 0) continue;
    all++;
    const bit = 1 << word;
    if (values.some(({ occurrences }) => occurrences.some((one) => one.mask & bit && isExact(one)))) exact++;
  }
  return { rank: exact + 1, most: all + 1 };
}
