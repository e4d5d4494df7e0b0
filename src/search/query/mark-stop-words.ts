/**
 * Marks the stop words of a query: they help to rank the hits of other words, and find nothing themselves.
 *
 *   how do i log in to ghcr    how do i · · to ·      "log in" has synonyms, so its "in" is not a stop word
 *   don't cache it             don't · it             as one word, as it was typed
 *   docker-in-docker --from    · · · ·                neither a part of a name nor a flag is one
 *   what is it                 · · ·                  there is nothing else to look for
 */
import { MAX_COMPOUND_PARTS } from "../contract/limits.ts";
import type { QueryWord } from "./query-word.ts";

export interface StopWordOptions {
  /** Folded; of `can't`, `can t`. */
  stopWords: ReadonlySet<string>;
  /** Words in a row, joined by spaces, that have synonyms: `log in`. Absent: none. */
  synonyms?: { has(words: string): boolean };
}

export function markStopWords(words: QueryWord[], { stopWords, synonyms }: StopWordOptions): QueryWord[] {
  if (stopWords.size === 0) return words;
  const marks = words.map(() => false);
  for (let at = 0; at < words.length;) {
    let end = at + 1;
    while (words[end]?.isJoined) end++;
    const group = words.slice(at, end);
    const isProse = group.every(({ isLiteral, isCode }) => !isLiteral && !isCode);
    const isStopWord = isProse && stopWords.has(wholeOf(group));
    marks.fill(isStopWord, at, end);
    at = end;
  }
  if (synonyms)
    for (const [from, to] of runsWithSynonyms(words, marks, synonyms)) marks.fill(false, from, to);
  return marks.includes(false) ? words.map((word, at) => ({ ...word, isStopWord: marks[at]! })) : words;
}

const wholeOf = (group: readonly QueryWord[]) => group.map(({ word }) => word).join(" ");

/** Stop words and others in a row that together have a meaning of their own. */
function runsWithSynonyms(
  words: readonly QueryWord[],
  marks: readonly boolean[],
  synonyms: NonNullable<StopWordOptions["synonyms"]>,
): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 2; to <= Math.min(words.length, from + MAX_COMPOUND_PARTS); to++) {
      if (!marks.slice(from, to).includes(true)) continue;
      const run = words.slice(from, to);
      if (synonyms.has(run.map(({ word }) => word).join(" "))) runs.push([from, to]);
    }
  }
  return runs;
}
