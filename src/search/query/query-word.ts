/** One word of what a reader typed. */
export interface QueryWord {
  word: string;
  /** The reader may still be typing it. */
  isPrefix: boolean;
  /** Typed without a space after the word before it: `docker-bake`. */
  isJoined: boolean;
  /** Part of an identifier as code writes it: `--save-tag`, `MILLRACE_TOKEN`, `useState`. */
  isCode: boolean;
  /** Part of an identifier with underscores, which nobody types for words of prose. */
  isSnakeCase: boolean;
  /** Stands in a phrase: only the word itself matches, no other form of it. */
  isLiteral: boolean;
  /** A stop word beside words that are none: nothing is found by it, but what is found is ranked by it too. */
  isStopWord: boolean;
}
