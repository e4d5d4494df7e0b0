import { countBits, queryCoverage, smallestWindow } from "./coverage.ts";
import type { Rule } from "./rule.ts";

/** How much of a block's score depends on its words being close; the rest on their being in one block at all. */
const TIGHTNESS = 0.2;

/** The words in one block and close together before words that are scattered. */
export const proximityRule: Rule = {
  name: "proximity",
  score({ blocks, rarities }) {
    let best = 0;
    for (const block of blocks) {
      const tightness = Math.min(1, countBits(block.mask) / smallestWindow(block));
      best = Math.max(best, queryCoverage([block], rarities) * (1 - TIGHTNESS + TIGHTNESS * tightness));
    }
    return best;
  },
};
