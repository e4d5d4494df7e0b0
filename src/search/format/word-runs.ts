/**
 * Words in quotes, found in a text as one match: `"warm builder"` marks `<em>warm builder</em>` and neither word alone.
 */
import { MAX_COMPOUND_PARTS } from "../contract/limits.ts";
import { joinWords } from "../text/compounds.ts";
import type { TextToken, TokenMatch } from "./types.ts";

export interface WordRun {
  words: readonly string[];
  /** Number of its first word in the query. */
  queryWord: number;
}

/** All of the text's tokens belong to the run, which continues after them. */
export const UNFINISHED = -1;

/** The longest first: the shorter one may be its beginning. */
export function wordRuns(
  phrases: readonly (readonly string[])[],
  typed: readonly { word: string; isLiteral: boolean }[],
): WordRun[] {
  let from = 0;
  const runs = phrases.map((words): WordRun => {
    // Phrases are typed in the order in which their words are.
    const first = typed.findIndex(
      ({ isLiteral }, at) =>
        at >= from && isLiteral && words.every((word, offset) => typed[at + offset]?.word === word),
    );
    if (first >= 0) from = first + words.length;
    return { words, queryWord: Math.max(0, first) };
  });
  return runs.sort((a, b) => b.words.length - a.words.length);
}

export function matchRuns(
  tokens: readonly TextToken[],
  at: number,
  runs: readonly WordRun[],
): TokenMatch | null {
  for (const { words, queryWord } of runs) {
    const length = lengthOfRun(tokens, at, words);
    if (length <= 0) continue;
    const last = tokens[at + length - 1]!;
    return { tokens: length, length: last.word.length, queryWord, queryWords: words.length };
  }
  return null;
}

/** Tokens from `at` on that are the run; 0 if they are not. A word may be several of them: `github` is `GitHub`. */
export function lengthOfRun(tokens: readonly TextToken[], at: number, words: readonly string[]): number {
  let next = at;
  for (const word of words) {
    let whole = tokens[next]?.word;
    if (whole === undefined) return UNFINISHED;
    let parts = 1;
    while (whole !== word && word.startsWith(whole) && parts < MAX_COMPOUND_PARTS) {
      const more = tokens[next + parts];
      if (!more) return UNFINISHED;
      whole = joinWords([whole, more.word]);
      parts++;
    }
    if (whole !== word) return 0;
    next += parts;
  }
  return next - at;
}
