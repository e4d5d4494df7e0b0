import type { BlockMatch } from "../query/scan-unit.ts";
import { bestWeight, orderKept } from "./coverage.ts";
import type { Rule, RuleMatch } from "./rule.ts";

/** Weight of a word found as it was typed, but for rounding. */
const EXACT = 0.999;

/** An attribute that is the query, then one that begins with it, then more words as they were typed. */
export const exactnessRule: Rule = {
  name: "exactness",
  score(match) {
    const type = matchType(match);
    if (type === "exactMatch") return 1;
    const words = exactWords(match.blocks, match.rarities.length) / Math.max(1, match.rarities.length);
    return type === "matchesStart" ? 0.9 : 0.8 * words;
  },
  details: (match) => ({
    matchType: matchType(match),
    matchingWords: exactWords(match.blocks, match.rarities.length),
    maxMatchingWords: match.rarities.length,
  }),
};

function matchType({ blocks, rarities }: RuleMatch): "exactMatch" | "matchesStart" | "noExactMatch" {
  const count = rarities.length;
  const starting = blocks.filter(
    (block) => exactWords([block], count) === count && startsInOrder(block) && orderKept(block, count) === 1,
  );
  if (starting.some(({ length }) => length <= count)) return "exactMatch";
  return starting.length > 0 ? "matchesStart" : "noExactMatch";
}

function startsInOrder({ occurrences }: BlockMatch): boolean {
  return occurrences.some(({ position, mask, weight }) => position === 0 && mask & 1 && weight >= EXACT);
}

export function exactWords(blocks: readonly BlockMatch[], count: number): number {
  let exact = 0;
  for (let word = 0; word < count; word++) if (bestWeight(blocks, 1 << word) >= EXACT) exact++;
  return exact;
}

/**
 * One block has every word as it was typed, stop words apart. That says much if the words are rare, which then meet nowhere by chance,
 * and little if they are frequent: their mean rarity against the rarest possible.
 */
export const completeRule: Rule = {
  name: "complete",
  score({ blocks, rarities, stopWords, unitCount }) {
    const words = [...rarities.keys()].filter((word) => (stopWords & (1 << word)) === 0);
    const hasAll = (block: BlockMatch) => words.every((word) => bestWeight([block], 1 << word) >= EXACT);
    if (words.length < 2 || !blocks.some(hasAll)) return 0;
    const mean = words.reduce((sum, word) => sum + rarities[word]!, 0) / words.length;
    return Math.min(1, mean / Math.log(1 + unitCount));
  },
};
