/**
 * The query for an error that a reader pastes into the search box: a log line, a page of a log, a stack.
 *
 *   text ─ lines without their variable parts (clean-line.ts)
 *     ├─ a line that has most words of a message with its own section → that message
 *     └─ otherwise the words of the line that sounds most like the cause
 */
import { cleanLine } from "./clean-line.ts";

/** Longer texts are cut in the middle: the end of a log says what went wrong, its beginning where. */
const MAX_TEXT = 64 * 1024;
const MAX_LINES = 400;
/** The engine reads ten words (`src/search/contract/limits.ts`). */
const MAX_WORDS = 10;
/** The share of the weight of a message's words that a line must have. */
const SHARE = 0.7;

/** Words of causes, not of their circumstances. */
const TELLING =
  /\b(?:error|errors|err|failed|failure|fatal|panic|exception|denied|refused|forbidden|unauthorized|unauthenticated|unable|cannot|can't|could not|couldn't|not found|no such|not allowed|invalid|unknown|unsupported|missing|timed? ?out|timeout|deadline|exceeded|expired|canceled|cancelled|killed|aborted|toomanyrequests|mismatch|unexpected|unreachable|unavailable|E[A-Z]{4,12}|x509)\b/gi;
/** A stack frame only says where the error happened. */
const FRAME = /^(?:at |File "|\.{3} |goroutine |from |in |\s*\^)/;
/** Words before a cause that say nothing about it. */
const WRAPPING =
  /^(?:(?:error|fatal|fatal error|warning|w|e|err|npm err!|failed to solve|failed to build|caused by|reason)\s?[:!]\s?)+/i;
/** Only programs write these. */
const SIGNS = [
  // eslint-disable-next-line no-control-regex
  /\u001b\[/,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /\b\d\d:\d\d:\d\d\b/,
  /\b(?:error|failed|fatal|panic|exception|denied|unauthorized|unauthenticated|cannot|unable to \w+)\b[^:]{0,80}:/i,
  /:\s[^:]{0,80}\b(?:error|failed|denied|not found|no such|refused|timed out|exceeded|cannot|invalid)\b/i,
  /\bexit (?:code|status):? \d/i,
  /\bcode = [A-Z]\w+/,
  /(?:^|\s)#\d{1,5} /,
  /(?:^|\s)at \S{1,200} ?\(/,
  /(?:[\\/][\w.@+~-]{1,255}){3}/,
  /\bsha256:[0-9a-f]{8}/,
  /\b[0-9a-f]{12,}\b/,
  /\b[A-Z][A-Z_]{3,}\b/,
  /\.\w{1,5}:\d+/,
];
const SHORT = 60;

/** Whether a program, and not a person, has written the text: one sign in several lines, two in a long line. */
export function looksLikeError(text: string): boolean {
  const start = text.slice(0, MAX_TEXT);
  const lines = start.trim().split("\n").length;
  if (lines < 2 && start.trim().length <= SHORT) return false;
  return SIGNS.filter((sign) => sign.test(start)).length >= (lines > 1 ? 1 : 2);
}

export interface ErrorQuery {
  query: string;
  /** Whether the message has its own section. */
  isKnown: boolean;
}

/**
 * @param known messages with their own section, as in its heading
 * @returns null if there is nothing left to search for
 */
export function errorQuery(text: string, known: readonly string[]): ErrorQuery | null {
  const lines = causesFirst(text);
  const message = findKnown(lines, known);
  if (message !== null) return { query: message, isKnown: true };
  const cause = (lines[0] ?? "").replace(WRAPPING, "");
  const query = wordsOf(cause).slice(0, MAX_WORDS).join(" ");
  return query === "" ? null : { query, isKnown: false };
}

/** Clean lines; lines that sound like the cause are first, and among equals the later line. */
function causesFirst(text: string): string[] {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}` : text;
  const all = cut.split(/\r?\n|\r/).filter((line) => line.trim() !== "");
  const kept = all.length > MAX_LINES ? [...all.slice(0, MAX_LINES / 2), ...all.slice(-MAX_LINES / 2)] : all;
  return kept
    .map((line) => cleanLine(line))
    .filter((line) => /\p{L}{2}/u.test(line))
    .map((line, at) => ({ line, at, telling: tellingOf(line) }))
    .sort((one, other) => other.telling - one.telling || other.at - one.at)
    .map(({ line }) => line);
}

function tellingOf(line: string): number {
  if (FRAME.test(line)) return -1;
  return Math.min(4, line.match(TELLING)?.length ?? 0);
}

/** The message with the most words in one line; rare words count more. */
function findKnown(lines: readonly string[], known: readonly string[]): string | null {
  const messages = known.map((message) => ({ message, words: new Set(keysOf(message)) }));
  const counts = new Map<string, number>();
  for (const { words } of messages) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (word: string) => Math.log(1 + known.length / (counts.get(word) ?? 1));
  const sum = (words: Iterable<string>) => [...words].reduce((total, word) => total + weightOf(word), 0);
  let best: string | null = null;
  let bestScore = 0;
  for (const line of lines) {
    const has = new Set(keysOf(line));
    for (const { message, words } of messages) {
      const weight = sum([...words].filter((word) => has.has(word)));
      const share = weight / (sum(words) || 1);
      // A whole message wins over most of a longer message.
      const score = weight * share ** 3;
      if (share >= SHARE && score > bestScore) [best, bestScore] = [message, score];
    }
  }
  return best;
}

const keysOf = (text: string) => wordsOf(text).map((word) => word.toLowerCase());

/** Words and names, without surrounding punctuation; numbers count if they have a meaning ("exit code: 137"). */
function wordsOf(line: string): string[] {
  return (
    line
      .match(/[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/gu)
      ?.filter((word) => /\p{L}|\d{3}/u.test(word)) ?? []
  );
}
