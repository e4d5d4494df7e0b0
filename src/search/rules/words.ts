import { countBits } from "./coverage.ts";
import type { Rule } from "./rule.ts";

/** More of the query's words, wherever they stand in it, before fewer. */
export const wordsRule: Rule = {
  name: "words",
  score: ({ mask, rarities }) => (rarities.length === 0 ? 1 : countBits(mask) / rarities.length),
  details: ({ mask, rarities }) => ({ matchingWords: countBits(mask), maxMatchingWords: rarities.length }),
};

/** The same where frequent words may be missing first: words count by their rarity. */
export const rareWordsRule: Rule = {
  ...wordsRule,
  score({ mask, rarities }) {
    let whole = 0;
    let found = 0;
    rarities.forEach((rarity, word) => {
      whole += rarity;
      if (mask & (1 << word)) found += rarity;
    });
    return whole === 0 ? 1 : found / whole;
  },
};
