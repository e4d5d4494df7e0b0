/** One word of what a reader typed. */
export interface QueryWord {
  word: string;
  /** The reader may still be typing it. */
  isPrefix: boolean;
  /** Typed without a space after the word before it: `docker-bake`. */
  isJoined: boolean;
  /** Of an identifier as code writes it: `--save-tag`, `MILLRACE_TOKEN`, `useState`. */
  isCode: boolean;
  /** Of one with underscores, which nobody types for words of prose. */
  isSnakeCase: boolean;
  /** Stands in a phrase: only the word itself matches, no other form of it. */
  isLiteral: boolean;
  /** A stop word beside words that are none: nothing is found by it, but what is found is ranked by it too. */
  isStopWord: boolean;
}
