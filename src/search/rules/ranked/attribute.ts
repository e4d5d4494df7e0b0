import { type DocumentMatch, keptWordsOf, sumOfLeast } from "./document-match.ts";
import { type Rank, scoreOf, wholeScore } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";

/** Words in more important attributes before words in less important ones. */
export const attributeRankRule: RankedRule = {
  name: "attributeRank",
  ranks(match) {
    const { lastImportance } = match;
    const most = 1 + keptWordsOf(match).length * lastImportance;
    const cost = sumOfLeast(match, (_, __, { importance }) => importance, lastImportance);
    return [{ rank: most - cost, most }];
  },
  details: ([attributes]) => ({ score: scoreOf(attributes!) }),
};

/** Words near to their place in the query, counted from the beginning of their attribute, before words farther on. */
export const wordPositionRule: RankedRule = {
  name: "wordPosition",
  ranks: (match) => [positionRank(match)],
  details: ([positions]) => ({ score: scoreOf(positions!) }),
};

/** The two as one rule. */
export const attributeRule: RankedRule = {
  name: "attribute",
  ranks: (match) => [...attributeRankRule.ranks(match), positionRank(match)],
  details: ([attributes, positions]) => ({
    attributeRankingOrderScore: scoreOf(attributes!),
    queryWordDistanceScore: scoreOf(positions!),
    score: wholeScore([attributes!, positions!]),
  }),
};

/** The end of each step of the costs, in words from the place in the query. */
const STEPS = [0, 1, 4, 7, 11, 16, 24, 64, 256, 1024];

function positionRank(match: DocumentMatch): Rank {
  const most = 1 + keptWordsOf(match).length * STEPS.length;
  const costOf = (word: number, position: number) => {
    const distance = Math.abs(roundPosition(position) - word);
    const step = STEPS.findIndex((end) => distance <= end);
    return step < 0 ? STEPS.length : step;
  };
  const cost = sumOfLeast(
    match,
    (word, { position }, { before }) => costOf(word, before + position),
    STEPS.length,
  );
  return { rank: most - cost, most };
}

/** Positions far from the beginning are distinguished by powers of two. */
function roundPosition(position: number): number {
  if (position < 16) return position;
  return position < 24 ? 24 : 2 ** Math.ceil(Math.log2(position));
}
