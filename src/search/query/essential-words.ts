/**
 * The words of a question that say what it is about: the rarest, until the rest says little of the whole. A text with only
 * the rest is not found; "why is my build slow" has 40 sections about what is slow, not all about builds.
 *
 *   why is my build slow    slow 4.1    build 0.6     0.6 is little of 4.7
 */
import type { WordMatches } from "./word-matches.ts";

/** The most that the other words may say together, as a share of all known words. */
const MOST_LEFT = 0.35;

/** Sections that one of the essential words has at least, if any word has: a page of the search box. */
const LEAST_UNITS = 20;

/** Which query words a unit must have one of, by number. Words without any match do not count; stop words never do. */
export function essentialWords(
  words: readonly WordMatches[],
  rarities: readonly number[],
  stopWords: number,
): (word: number) => boolean {
  const known = [...words.keys()].filter(
    (word) => !(stopWords & (1 << word)) && words[word]!.units.length > 0,
  );
  known.sort((a, b) => rarities[b]! - rarities[a]!);
  let left = known.reduce((sum, word) => sum + rarities[word]!, 0);
  const most = left * MOST_LEFT;
  const essential = new Set<number>();
  let units = 0;
  for (const word of known) {
    if (left < most && units >= LEAST_UNITS) break;
    essential.add(word);
    left -= rarities[word]!;
    units = Math.max(units, words[word]!.units.length);
  }
  // A word that occurs nowhere alone may occur in a name of several.
  return (word) => essential.has(word) || !known.includes(word);
}
