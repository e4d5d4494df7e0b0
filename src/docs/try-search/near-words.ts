/** The index's words, and the one that is most like a word that it does not have. */
import type { OpenedIndex } from "#search/index.ts";

export interface NearWords {
  has: (word: string) => boolean;
  /** Null when no word is similar enough. */
  find: (word: string) => NearWord | null;
  areSynonyms: (one: string, other: string) => boolean;
}

export interface NearWord {
  word: string;
  /** Letters that were added, left out, exchanged or swapped. */
  letters: number;
  /** Sections that have the word. */
  sections: number;
  /** The pages' words for it, when it is one of other products or trades. */
  means: string[];
}

const SHORTEST = 4;
const LONGEST = 40;
const MAX_WORDS = 24;

/** Words in lower case, without accents and signs; at most 24. */
export function wordsOf(text: string): string[] {
  const folded = text.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
}

export function createNearWords(index: OpenedIndex): NearWords {
  const sections = countWords(index);
  const { synonyms, concepts = {} } = index.settings;
  const typed = new Set(
    [...Object.keys(synonyms), ...Object.keys(concepts)].filter((word) => !word.includes(" ")),
  );
  // A word is like one that begins with the same letter: comparing all others would take a hundred times as long.
  const byLetter = Map.groupBy(new Set([...sections.keys(), ...typed]), (word) => word.charAt(0));
  return {
    has: (word) => sections.has(word) || typed.has(word),
    areSynonyms: (one, other) => [synonyms, concepts].some((table) => meaningOf(table, one).includes(other)),
    find(word) {
      const limit = mostLetters(word);
      let best: NearWord | null = null;
      for (const other of limit === 0 ? [] : (byLetter.get(word.charAt(0)) ?? [])) {
        const letters = distance(word, other, limit);
        if (letters > limit) continue;
        const found = {
          word: other,
          letters,
          sections: sections.get(other) ?? 0,
          means: [...meaningOf(concepts, other)],
        };
        if (!best || letters < best.letters || (letters === best.letters && found.sections > best.sections))
          best = found;
      }
      return best;
    },
  };
}

const meaningOf = (table: { readonly [word: string]: readonly string[] }, word: string) =>
  Object.hasOwn(table, word) ? (table[word] ?? []) : [];

function countWords(index: OpenedIndex): Map<string, number> {
  const counts = new Map<string, number>();
  for (let id = 0; id < index.documentCount; id++) {
    const texts = Object.entries(index.document(id)).flatMap(([name, value]) =>
      /^(?:hierarchy_|content$|keywords$)/.test(name) ? [value].flat() : [],
    );
    const words = new Set(texts.flatMap((text) => (typeof text === "string" ? allWordsOf(text) : [])));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const allWordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** More than search forgives on its own, because a person looks at the proposal. */
function mostLetters({ length }: string): number {
  if (length < SHORTEST || length > LONGEST) return 0;
  return length < 6 ? 1 : length < 9 ? 2 : 3;
}

/** Damerau's distance of neighbours (optimal string alignment), or more than the limit. */
function distance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit || other.length < SHORTEST) return limit + 1;
  let previous: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[line - 1] === other[column - 1];
      let least = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (
        line > 1 &&
        column > 1 &&
        one[line - 1] === other[column - 2] &&
        one[line - 2] === other[column - 1]
      )
        least = Math.min(least, (previous[column - 2] ?? 0) + 1);
      next.push(least);
    }
    if (Math.min(...next) > limit) return limit + 1;
    previous = row;
    row = next;
  }
  return row[other.length] ?? limit + 1;
}
