import type { WordStarts } from "./word-starts.ts";

/** One word of a text as the engine's tokenizer sees it. Offsets are UTF-16 units in the original text. */
export interface TextToken {
  start: number;
  end: number;
  /** Folded: lower case, without diacritics. */
  word: string;
}

/** A match that starts at some token: of one word, or of a phrase or a split word that covers several. */
export interface TokenMatch {
  /** Tokens covered, at least 1. */
  tokens: number;
  /**
   * How much of the last token is marked, in characters of its folded `word`: all of it for a whole word or a
   * typo, the typed part for a prefix.
   */
  length: number;
  /** Which word of the query it is; equal numbers are the same word. Decides which crop window is the best. */
  queryWord: number;
  /** Words of the query that it covers, from that one on: more than one for a quoted phrase. Absent: one. */
  queryWords?: number;
}

/** The formatter's view of the query and of the language; the engine supplies it per search. */
export interface TextMatcher {
  tokenize(text: string): readonly TextToken[];
  fold(text: string): string;
  matchAt(tokens: readonly TextToken[], at: number): TokenMatch | null;
  /** If absent, every word of a text is examined. */
  shortcut?: MatchShortcut;
}

/** Lets the formatter skip most of a text; only for the tokenizer's own rules, without configured words and separators. */
export interface MatchShortcut {
  starts: WordStarts;
  /** Whether the tokens from `at` to the end of the list may be the beginning of a match that continues after them. */
  isOpen(tokens: readonly TextToken[], at: number): boolean;
}

/** A stretch of text to mark: `[start, end)` in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

export interface Mark extends Stretch {
  queryWord: number;
  queryWords: number;
  /** Index of the first token, and the number of tokens. */
  token: number;
  tokens: number;
}
