import { countBits } from "./coverage.ts";
import type { Rule, RuleMatch } from "./rule.ts";

/** Most typos that one word may have. */
const MOST_PER_WORD = 2;

/** Fewer typos, over all matched words in their best spelling, before more. */
export const typoRule: Rule = {
  name: "typo",
  score: (match) => 1 - countTypos(match) / (mostTypos(match) + 1),
  details: (match) => ({ typoCount: countTypos(match), maxTypoCount: mostTypos(match) }),
};

function mostTypos({ mask }: RuleMatch): number {
  return countBits(mask) * MOST_PER_WORD;
}

function countTypos({ blocks, rarities }: RuleMatch): number {
  let count = 0;
  for (let word = 0; word < rarities.length; word++) {
    let least = Infinity;
    for (const { occurrences } of blocks) {
      for (const { mask, typos } of occurrences) if (mask & (1 << word) && typos < least) least = typos;
    }
    if (least !== Infinity) count += least;
  }
  return count;
}
