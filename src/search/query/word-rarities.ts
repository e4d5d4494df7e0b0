import { isFunctionWord, isVerbOfQuestions } from "../text/light-words.ts";
import type { QueryWord } from "./query-word.ts";
import { rarity } from "./rarity.ts";
import type { Span } from "./spans.ts";
import type { WordMatches } from "./word-matches.ts";

/** The factor of a word that says little. */
const LIGHT_WORD = 0.5;

/** The most that a stop word counts, relative to the mean of the other words. */
const STOP_WORD = 0.1;

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
  const isQuestion = query.some(({ isStopWord }) => isStopWord);
  const rarities = words.map(({ word, units }, at) => {
    const { isPrefix, isLiteral } = query[at]!;
    const own = rarity(units.length, unitCount);
    if (isLiteral) return own;
    // A question often ends in its verb, with no space after it.
    const isLight = isQuestion && isVerbOfQuestions(word);
    return isLight || (!isPrefix && isFunctionWord(word)) ? own * LIGHT_WORD : own;
  });
  limitStopWords(rarities, query);
  for (const { from, to, matches, isIdentifier, isCode } of spans) {
    if (!isIdentifier || !isCode) continue;
    const sum = rarities.slice(from, to).reduce((whole, one) => whole + one, 0);
    const factor = rarity(matches.units.length, unitCount) / (sum || 1);
    for (let word = from; word < to; word++) rarities[word]! *= factor;
  }
  return rarities;
}

function limitStopWords(rarities: number[], query: readonly QueryWord[]): void {
  const others = rarities.filter((_, at) => !query[at]!.isStopWord);
  const most = (STOP_WORD * others.reduce((sum, one) => sum + one, 0)) / (others.length || 1);
  query.forEach(({ isStopWord }, at) => {
    if (isStopWord) rarities[at] = Math.min(rarities[at]!, most);
  });
}
