import type { Occurrence } from "../../query/block-match.ts";
import { countBits } from "../coverage.ts";
import { type DocumentMatch, isExact, keptWordsOf, sumOfLeast } from "./document-match.ts";
import { scoreOf } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";

/** Fewer typos, each word in its best spelling, before more. Later rules look at the best spellings only. */
export const typoRule: RankedRule = {
  name: "typo",
  ranks(match) {
    const most = keptWordsOf(match).reduce((sum, word) => sum + match.words[word]!.mostTypos, 0);
    const typos = sumOfLeast(match, (_, occurrence) => typosOf(occurrence), most);
    return [{ rank: Math.max(1, most + 1 - typos), most: most + 1 }];
  },
  narrow(match) {
    const least = leastTypos(match);
    const isBest = (occurrence: Occurrence) => {
      for (let bits = occurrence.mask & match.kept; bits !== 0; bits &= bits - 1) {
        if (typosOf(occurrence) <= least[31 - Math.clz32(bits & -bits)]!) return true;
      }
      return false;
    };
    if (match.values.every(({ occurrences }) => occurrences.every(isBest))) return match;
    const values = match.values.map((value) => ({
      ...value,
      occurrences: value.occurrences.filter(isBest),
    }));
    return { ...match, values };
  },
  details: ([typos]) => ({
    typoCount: typos!.most - typos!.rank,
    maxTypoCount: typos!.most - 1,
    score: scoreOf(typos!),
  }),
};

/** Words that were typed apart and are written as one count as so many typos. */
function typosOf(occurrence: Occurrence): number {
  const joined = isExact(occurrence) ? 1 : countBits(occurrence.mask);
  return joined > 1 ? Math.max(joined, occurrence.typos) : occurrence.typos;
}

function leastTypos({ words, kept, values }: DocumentMatch): number[] {
  const least = words.map(() => Infinity);
  for (const { occurrences } of values) {
    for (const occurrence of occurrences) {
      const typos = typosOf(occurrence);
      for (let bits = occurrence.mask & kept; bits !== 0; bits &= bits - 1) {
        const word = 31 - Math.clz32(bits & -bits);
        if (typos < least[word]!) least[word] = typos;
      }
    }
  }
  return least;
}
