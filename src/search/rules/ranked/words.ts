import { countBits } from "../coverage.ts";
import { scoreOf } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";

/** More of the query's words before fewer; which of them count, the matching strategy says. */
export const wordsRule: RankedRule = {
  name: "words",
  ranks: ({ words, kept }) => [{ rank: countBits(kept), most: words.length }],
  details: ([words]) => ({
    matchingWords: words!.rank,
    maxMatchingWords: words!.most,
    score: scoreOf(words!),
  }),
};
