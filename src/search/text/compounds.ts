import { MAX_COMPOUND_PARTS } from "../contract/limits.ts";
import type { Token } from "./tokenize.ts";

export interface Compound {
  /** Index of the first token, and how many it joins: at least two. */
  at: number;
  tokens: number;
  word: string;
}

/** Every identifier whose parts are separate tokens, whole: `docker-bake.hcl` → `dockerbakehcl`. */
export function findCompounds(tokens: readonly Token[]): Compound[] {
  const compounds: Compound[] = [];
  for (let at = 0; at < tokens.length;) {
    let end = at + 1;
    while (end < tokens.length && tokens[end]!.isJoined) end++;
    const count = end - at;
    if (count > 1 && count <= MAX_COMPOUND_PARTS) {
      compounds.push({
        at,
        tokens: count,
        word: joinWords(tokens.slice(at, end).map((token) => token.word)),
      });
    }
    at = end;
  }
  return compounds;
}

/** Words put together; a dot stays between digits, so that `1.23` and `12.3` differ. */
export function joinWords(words: readonly string[]): string {
  let joined = words[0] ?? "";
  for (const word of words.slice(1)) joined += /\d$/.test(joined) && /^\d/.test(word) ? `.${word}` : word;
  return joined;
}
