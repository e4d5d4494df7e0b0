/** Removes what must not be stored from texts before anything else sees them. Every scan is linear. */
import { Refusal } from "../contract/refusal.ts";

/** Longer addresses are read up to this length. */
const MAX_ADDRESS_LENGTH = 2000;

const END_OF_ADDRESS = /[\s"'<>?#\\]/g;
const END_OF_QUERY = /[\s"'<>\\]/g;
const END_OF_PATH = /[\s?#]/g;
const WORD_CHARACTER = /\w/;

/** Cuts the query and the fragment off every address in a text, and off a text that is a path. */
export function cutQueries(text: string): string {
  if (!text.includes("?") && !text.includes("#")) return text;
  return cutQueryOfPath(cutQueriesOfAddresses(text));
}

/** Continues from the last position, so that no character is read twice, whatever the text repeats. */
function cutQueriesOfAddresses(text: string): string {
  let kept = "";
  let copied = 0;
  let position = 0;
  for (;;) {
    const start = text.indexOf("http", position);
    if (start === -1) return kept + text.slice(copied);
    position = afterScheme(text, start);
    if (position === -1) {
      position = start + "http".length;
      continue;
    }
    const stop = find(END_OF_ADDRESS, text, position);
    // Every other address that begins before `stop` would also end there.
    position = stop;
    if (text[stop] !== "?" && text[stop] !== "#") continue;
    kept += text.slice(copied, stop);
    copied = find(END_OF_QUERY, text, stop);
    position = copied;
  }
}

/** The position after `http://` or `https://` as a separate word; -1 for anything else. */
function afterScheme(text: string, start: number): number {
  if (start > 0 && WORD_CHARACTER.test(text[start - 1] ?? "")) return -1;
  const colon = start + (text[start + 4] === "s" ? 5 : 4);
  return text.startsWith("://", colon) ? colon + 3 : -1;
}

function cutQueryOfPath(text: string): string {
  if (!text.startsWith("/")) return text;
  const stop = find(END_OF_PATH, text, 0);
  return text[stop] === "?" || text[stop] === "#" ? text.slice(0, stop) : text;
}

/** The first position from `start` on of one of the characters, else the text's end. */
function find(characters: RegExp, text: string, start: number): number {
  characters.lastIndex = start;
  return characters.exec(text)?.index ?? text.length;
}

/** The path of an address or path, without query; null for anything else. */
export function pathOf(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const start = address.slice(0, MAX_ADDRESS_LENGTH);
  if (start.startsWith("/") && !start.startsWith("//")) return cutQueries(start).slice(0, 500);
  if (!/^https?:\/\//.test(start)) return null;
  return URL.canParse(start) ? new URL(start).pathname.slice(0, 500) : null;
}

/** The host of an address: `www.example.com`. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const start = address.slice(0, MAX_ADDRESS_LENGTH);
  return URL.canParse(start) ? new URL(start).host.slice(0, 200) || null : null;
}

/** The sender of a request, in the words that must not be stored. */
export interface Sender {
  address: string | null;
  userAgent: string | null;
}

/** Browsers send 100 to 250 characters; any more do not distinguish them. */
const MAX_USER_AGENT_LENGTH = 1000;

/**
 * Removes the sender's own address and user agent from a body, wherever an SDK may have put them.
 * @param text JSON or an envelope, before it is parsed
 * @throws Refusal for a large body that consists of little else
 */
export function removeSender(text: string, { address, userAgent }: Sender, family: string): string {
  let cleaned = text;
  // Loopback addresses identify no one, and their short forms occur in other texts.
  if (address && address.length >= 7 && !address.startsWith("127."))
    cleaned = replaceEach(cleaned, address, "");
  const named = userAgent?.slice(0, MAX_USER_AGENT_LENGTH);
  if (named && named.length >= 8 && !/["\\]/.test(named))
    // Never longer than before: cleaning must not make a body grow.
    cleaned = replaceEach(cleaned, named, family.slice(0, named.length));
  return cleaned;
}

/** Above this many worst-case comparisons, the JavaScript engine's own search is not used, because it may do them all. */
const MAX_COMPARISONS = 4_000_000;

/** An SDK names the sender once in each event. */
const MAX_OCCURRENCES = 10_000;

function replaceEach(text: string, wanted: string, replacement: string): string {
  if (text.length * wanted.length <= MAX_COMPARISONS) return text.replaceAll(wanted, () => replacement);
  const pieces: string[] = [];
  let copied = 0;
  for (const place of occurrences(text, wanted)) {
    pieces.push(text.slice(copied, place), replacement);
    copied = place + wanted.length;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}

/**
 * The positions of a word in a text, from left to right, without overlaps. Each character of the text is compared at most
 * twice, whatever the word and the text repeat (Knuth, Morris, Pratt).
 */
function occurrences(text: string, word: string): number[] {
  const borders = bordersOf(word);
  const found: number[] = [];
  let matched = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    while (matched > 0 && word.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (word.charCodeAt(matched) === code) matched += 1;
    if (matched < word.length) continue;
    if (found.length >= MAX_OCCURRENCES)
      throw new Refusal("too complex", "The body repeats its sender too often: send less at once.");
    found.push(place + 1 - matched);
    matched = 0;
  }
  return found;
}

/** For each prefix of the word: the length of its longest proper prefix that is also its suffix. */
function bordersOf(word: string): Uint16Array {
  const borders = new Uint16Array(word.length);
  let length = 0;
  for (let place = 1; place < word.length; place++) {
    while (length > 0 && word[place] !== word[length]) length = borders[length - 1] ?? 0;
    if (word[place] === word[length]) length += 1;
    borders[place] = length;
  }
  return borders;
}
