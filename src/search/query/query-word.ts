/** One word of a reader's query. */
export interface QueryWord {
  word: string;
  /** The reader may still be typing it. */
  isPrefix: boolean;
  /** Typed without a space after the word before it: `docker-bake`. */
  isJoined: boolean;
  /** Part of an identifier as code writes it: `--save-tag`, `MILLRACE_TOKEN`, `useState`. */
  isCode: boolean;
  /** Part of an identifier with underscores, which no one types for words of prose. */
  isSnakeCase: boolean;
  /** Stands in a phrase: only the word itself matches, no other form of it. */
  isLiteral: boolean;
  /** A stop word next to other words: it finds nothing, but it affects the ranking. */
  isStopWord: boolean;
}
