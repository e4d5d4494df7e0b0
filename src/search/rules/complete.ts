import type { BlockMatch } from "../query/block-match.ts";
import { bestWeight } from "./coverage.ts";
import type { Rule } from "./rule.ts";

/** Weight of a word found as it was typed, except for rounding. */
const EXACT = 0.999;

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
