import type { TextMatcher, TextToken, TokenMatch } from "./format/types.ts";
import type { OpenedIndex } from "./open-index.ts";
import type { ParsedQuery } from "./query/parse-query.ts";
import type { WordMatches } from "./query/word-matches.ts";
import { fold } from "./text/fold.ts";
import { joinWords } from "./text/compounds.ts";

/** What a search hands to highlighting: the same words, forms and joins that made the results match. */
export function createTextMatcher(
  index: OpenedIndex,
  parsed: ParsedQuery,
  words: readonly WordMatches[],
): TextMatcher {
  const whole = new Map<string, number>();
  words.forEach(({ word, expansions }, number) => {
    whole.set(word, number);
    for (const { term, kind } of expansions) {
      const text = index.dictionary.term(term);
      if (kind !== "prefix" && !whole.has(text)) whole.set(text, number);
    }
  });
  // Most tokens begin no match at all. Trying to join each with its neighbours was half the time of highlighting.
  const beginnings = new Set<string>();
  for (const text of whole.keys()) {
    for (let length = 1; length < text.length; length++) beginnings.add(text.slice(0, length));
  }
  const last = parsed.words.at(-1);
  const prefix = last?.isPrefix ? { text: last.word, number: parsed.words.length - 1 } : null;
  function matchWordAt(word: string): Omit<TokenMatch, "tokens"> | null {
    const number = whole.get(word);
    if (number !== undefined) return { length: word.length, queryWord: number };
    if (prefix && word.startsWith(prefix.text))
      return { length: prefix.text.length, queryWord: prefix.number };
    return null;
  }
  return {
    tokenize: index.tokenize,
    fold,
    matchAt(tokens: readonly TextToken[], at: number): TokenMatch | null {
      const token = tokens[at]!;
      const single = matchWordAt(token.word);
      if (single) return { tokens: 1, ...single };
      if (!beginnings.has(token.word)) return null;
      for (let count = 2; count <= 4 && at + count <= tokens.length; count++) {
        const joined = joinWords(tokens.slice(at, at + count).map(({ word }) => word));
        const number = whole.get(joined);
        if (number !== undefined) {
          return { tokens: count, length: tokens[at + count - 1]!.word.length, queryWord: number };
        }
      }
      return null;
    },
  };
}
