import type { Rule, RuleMatch } from "./rule.ts";

/** Words in earlier searchable attributes before later ones; in the same one, nearer to its beginning. */
export const attributeRule: Rule = {
  name: "attribute",
  score: (match) => 0.95 * attributeScore(match) + 0.05 * positionScore(match),
  details: (match) => ({
    attributeRankingOrderScore: attributeScore(match),
    queryWordDistanceScore: positionScore(match),
  }),
};

function attributeScore({ blocks, rarities, attributeCount }: RuleMatch): number {
  return meanOverWords(rarities.length, (bit) => {
    let first = Infinity;
    for (const { mask, field } of blocks) if (mask & bit && field < first) first = field;
    return first === Infinity ? null : 1 - Math.min(1, first / Math.max(1, attributeCount));
  });
}

function positionScore({ blocks, rarities }: RuleMatch): number {
  return meanOverWords(rarities.length, (bit) => {
    const [block] = blocks.filter(({ mask }) => mask & bit).sort((a, b) => a.field - b.field);
    const first = block?.occurrences.find(({ mask }) => mask & bit);
    return first ? 1 / (1 + first.position / 8) : null;
  });
}

function meanOverWords(count: number, score: (bit: number) => number | null): number {
  let sum = 0;
  let found = 0;
  for (let word = 0; word < count; word++) {
    const value = score(1 << word);
    if (value === null) continue;
    sum += value;
    found++;
  }
  return found === 0 ? 0 : sum / found;
}
