import { isFunctionWord } from "../text/function-words.ts";
import type { QueryWord } from "./parse-query.ts";
import { rarity } from "./rarity.ts";
import type { Span } from "./spans.ts";
import type { WordMatches } from "./word-matches.ts";

/** What a word of grammar counts against its rarity: reference pages hardly have "how" and "my", which make it a rare word. */
const FUNCTION_WORD = 0.5;

/**
 * How much each word of the query says: its rarity, all its forms together. The parts of an identifier that was typed as
 * code share the rarity of the whole.
 */
export function wordRarities(
  query: readonly QueryWord[],
  words: readonly WordMatches[],
  spans: readonly Span[],
  unitCount: number,
): number[] {
  const rarities = words.map(({ word, units }, at) => {
    const { isPrefix, isLiteral } = query[at]!;
    const own = rarity(units.length, unitCount);
    return !isPrefix && !isLiteral && isFunctionWord(word) ? own * FUNCTION_WORD : own;
  });
  for (const { from, to, matches, isIdentifier, isCode } of spans) {
    if (!isIdentifier || !isCode) continue;
    const sum = rarities.slice(from, to).reduce((whole, one) => whole + one, 0);
    const factor = rarity(matches.units.length, unitCount) / (sum || 1);
    for (let word = from; word < to; word++) rarities[word]! *= factor;
  }
  return rarities;
}
