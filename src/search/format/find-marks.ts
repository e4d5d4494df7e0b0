import type { Mark, TextMatcher, TextToken } from "./types.ts";

/** Every match in a text, in order and without overlaps. */
export function findMarks(text: string, tokens: readonly TextToken[], matcher: TextMatcher): Mark[] {
  const marks: Mark[] = [];
  for (let at = 0; at < tokens.length;) {
    const match = matcher.matchAt(tokens, at);
    const last = match && tokens[at + match.tokens - 1];
    if (!match || !last) {
      at++;
      continue;
    }
    marks.push({
      start: tokens[at]!.start,
      end: markedEnd(text, last, match.length, matcher),
      queryWord: match.queryWord,
      queryWords: match.queryWords ?? 1,
      token: at,
      tokens: match.tokens,
    });
    at += match.tokens;
  }
  return marks;
}

/**
 * The end of a token's marked part in the original text. Folding may change lengths (`ß` → `ss`, `e` + accent → `e`), so
 * the original is walked character by character until its folded form is as long as the match.
 */
export function markedEnd(text: string, token: TextToken, length: number, matcher: TextMatcher): number {
  if (length >= token.word.length) return token.end;
  const original = text.slice(token.start, token.end);
  if (isAscii(original) && original.length === token.word.length) return token.start + length;
  let end = token.start;
  let folded = 0;
  for (const character of original) {
    // A combining mark, joiner or variation selector belongs to the character before it.
    const isExtending = /^(?:\p{M}|\u200d|\p{Variation_Selector})$/u.test(character);
    if (folded >= length && !isExtending) break;
    if (!isExtending) folded += Math.max(1, matcher.fold(character).length);
    end += character.length;
  }
  return end;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
