import type { BlockMatch } from "../query/scan-unit.ts";
import { bestWeight } from "./coverage.ts";
import type { Rule } from "./rule.ts";

/** Weight of a word found as it was typed, but for rounding. */
const EXACT = 0.999;

function exactWords(blocks: readonly BlockMatch[], count: number): number {
  let exact = 0;
  for (let word = 0; word < count; word++) if (bestWeight(blocks, 1 << word) >= EXACT) exact++;
  return exact;
}

/**
 * One block has every word as it was typed. That says much if the words are rare, which then meet nowhere by chance,
 * and little if they are frequent: their mean rarity against the rarest possible.
 */
export const completeRule: Rule = {
  name: "complete",
  score({ blocks, rarities, unitCount }) {
    const count = rarities.length;
    if (count < 2 || !blocks.some((block) => exactWords([block], count) === count)) return 0;
    const mean = rarities.reduce((sum, rarity) => sum + rarity, 0) / count;
    return Math.min(1, mean / Math.log(1 + unitCount));
  },
};
