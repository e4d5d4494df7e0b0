import { findMarks, markedEnd } from "./find-marks.ts";
import type { MatchShortcut, Stretch, TextMatcher, TextToken } from "./types.ts";
import { isAsciiLetterOrDigit, plainWordAt } from "./word-starts.ts";

/**
 * The stretches to mark in a text: the same as `findMarks` finds, but only words at places where a match may begin
 * are examined. The other words are needed only for a crop.
 */
export function findStretches(text: string, matcher: TextMatcher): readonly Stretch[] {
  if (!hasShortcut(matcher)) return findMarks(text, matcher.tokenize(text), matcher);
  const found: Stretch[] = [];
  let done = 0;
  const { starts } = matcher.shortcut;
  for (let at = starts.next(text, 0); at >= 0; at = starts.next(text, done)) {
    done = markFrom(text, runStart(text, at, done), matcher, found);
  }
  return found;
}

type ShortMatcher = TextMatcher & { shortcut: MatchShortcut };

function hasShortcut(matcher: TextMatcher): matcher is ShortMatcher {
  return matcher.shortcut !== undefined;
}

/** Marks the matches in the run of letters that begins at `from`, and as far beyond it as a match reaches. Returns the end. */
function markFrom(text: string, from: number, matcher: ShortMatcher, found: Stretch[]): number {
  const { shortcut } = matcher;
  const tokens: TextToken[] = [];
  let end = pushRun(text, from, matcher, tokens);
  for (let at = 0; at < tokens.length;) {
    while (end < text.length && shortcut.isOpen(tokens, at)) end = pushRun(text, end, matcher, tokens);
    const match = matcher.matchAt(tokens, at);
    const last = match && tokens[at + match.tokens - 1];
    if (!match || !last) {
      at++;
      continue;
    }
    found.push({ start: tokens[at]!.start, end: markedEnd(text, last, match.length, matcher) });
    at += match.tokens;
  }
  return end;
}

/** Adds the tokens of the next run of letters and digits, including the signs of `C++`. Returns its end. */
function pushRun(text: string, from: number, matcher: TextMatcher, tokens: TextToken[]): number {
  let start = from;
  while (start < text.length && isBoundary(text, start)) start++;
  const plain = plainWordAt(text, start);
  if (plain !== null) {
    const end = start + plain.length;
    tokens.push({ start, end, word: plain });
    return end;
  }
  let end = start;
  while (end < text.length && (!isBoundary(text, end) || text[end] === "+" || text[end] === "#")) end++;
  // A dash and the character before it distinguish `-sSo` from a word.
  const context = text[start - 1] === "-" ? Math.max(0, start - 2) : start;
  for (const token of matcher.tokenize(text.slice(context, end))) {
    if (context + token.end <= start) continue;
    tokens.push({ start: context + token.start, end: context + token.end, word: token.word });
  }
  return end;
}

function runStart(text: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && !isBoundary(text, start - 1)) start--;
  return start;
}

/** A character that no word extends across. Only ASCII is decided here; the tokenizer knows other alphabets. */
function isBoundary(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 && !isAsciiLetterOrDigit(unit);
}
