/**
 * Text → words, for documents, queries and highlighting alike.
 *
 *   text    Push docker-bake.hcl with useState, v1.2 and C++
 *   tokens  push docker bake hcl with use state v 1 2 and c++
 *   joined            ^    ^             ^      ^ ^
 *
 * A token is the smallest part a reader might type. `isJoined` marks a token that continues the one before it in
 * the same identifier; `compounds.ts` puts such groups together again (`dockerbakehcl`, `usestate`, `v1.2`).
 * Several flags after one dash (`-sSL`) are one token, dash included. Cuts are made at everything except letters
 * and digits, between `camelCase` humps of two letters or more, and after the `v` of a version. Runs of scripts
 * without spaces are cut by `Intl.Segmenter`.
 */
import { CharacterClass, classOfCodePoint, classOfUnit } from "./character-classes.ts";
import { fold } from "./fold.ts";

export interface Token {
  /** UTF-16 units in the text. */
  start: number;
  end: number;
  /** Folded. */
  word: string;
  isJoined: boolean;
}

export interface TokenizerOptions {
  /** Extra strings that separate words although they are letters or connectors. */
  separatorTokens: readonly string[];
  /** Characters that belong to words although they are punctuation. */
  nonSeparatorTokens: readonly string[];
  /** Strings that are one word, whatever they are made of: `J. R. R.` */
  dictionary: readonly string[];
}

export type Tokenize = (text: string) => Token[];

/** Letters after one dash that may be a flag each; `-noRestart` has more. */
const MOST_FLAGS = 6;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const { separator, letter, upper, digit, connector, unspaced, surrogate } = CharacterClass;

export function createTokenizer(options: TokenizerOptions): Tokenize {
  const { separatorTokens, nonSeparatorTokens, dictionary } = options;
  const extraLetters = new Set(
    nonSeparatorTokens.filter((text) => text.length === 1).map((text) => text.charCodeAt(0)),
  );
  const special = [...dictionary, ...separatorTokens].filter((text) => text !== "");
  if (special.length === 0)
    return (text) => tokenizeRange({ text, extraLetters, tokens: [] }, 0, text.length);
  special.sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    special.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"),
    "giu",
  );
  const words = new Set(dictionary.map(fold));
  return (text) => tokenizeAround(text, pattern, words, extraLetters);
}

/** Cuts around the configured strings; the ones of the dictionary become tokens. */
function tokenizeAround(
  text: string,
  pattern: RegExp,
  words: Set<string>,
  extraLetters: Set<number>,
): Token[] {
  const tokens: Token[] = [];
  const reading = { text, extraLetters, tokens };
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    tokenizeRange(reading, at, match.index);
    at = match.index + match[0].length;
    const word = fold(match[0]);
    if (words.has(word)) tokens.push({ start: match.index, end: at, word, isJoined: false });
  }
  return tokenizeRange(reading, at, text.length);
}

/** A text and the tokens found in it so far. */
interface Reading {
  text: string;
  extraLetters: Set<number>;
  tokens: Token[];
}

function tokenizeRange(reading: Reading, from: number, to: number): Token[] {
  const { text, extraLetters, tokens } = reading;
  let at = from;
  let isJoined = false;
  while (at < to) {
    const kind = classAt(text, at, extraLetters);
    if (kind === unspaced) {
      at = pushSegments(text, at, to, tokens);
      isJoined = false;
    } else if (kind === letter || kind === upper || kind === digit) {
      const end = endOfRun(text, at, to, extraLetters);
      if (at > from && areFlags(text, at, end)) {
        tokens.push({ start: at - 1, end, word: fold(text.slice(at - 1, end)), isJoined: false });
      } else pushRun(reading, at, end, isJoined);
      isJoined = isLinkAt(text, end, to, extraLetters);
      at = isJoined ? end + 1 : end;
    } else {
      at += widthAt(text, at);
    }
  }
  return tokens;
}

/**
 * `-sSo`, `-fsSL`: the letters of several flags after one dash are not a word, and must not be found as one ("sso"). With the
 * dash they are a word of their own. Recognized by capitals after the first letter: `-it` may be a word, `-trimpath` is.
 */
function areFlags(text: string, from: number, to: number): boolean {
  if (text[from - 1] !== "-" || to - from > MOST_FLAGS || to - from < 2) return false;
  if (from > 1 && classOfUnit(text.charCodeAt(from - 2)) !== separator) return false;
  let hasLateCapital = false;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || classOfUnit(unit) === digit) return false;
    if (at > from && classOfUnit(unit) === upper) hasLateCapital = true;
  }
  return hasLateCapital;
}

/** One connector between two word characters, or a comma between digits: `1,000`. */
function isLinkAt(text: string, at: number, to: number, extraLetters: Set<number>): boolean {
  if (at + 1 >= to) return false;
  const next = classAt(text, at + 1, extraLetters);
  if (next !== letter && next !== upper && next !== digit) return false;
  if (classAt(text, at, extraLetters) === connector) return true;
  return text[at] === "," && next === digit && classOfUnit(text.charCodeAt(at - 1)) === digit;
}

function endOfRun(text: string, from: number, to: number, extraLetters: Set<number>): number {
  let at = from;
  while (at < to) {
    const kind = classAt(text, at, extraLetters);
    if (kind !== letter && kind !== upper && kind !== digit) break;
    at += text.charCodeAt(at) < 128 ? 1 : widthAt(text, at);
  }
  return at - from <= 2 ? endOfSuffix(text, at, to) : at;
}

/** `C++`, `F#`: signs that belong to a name of one or two letters. */
function endOfSuffix(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (text[at] === "+" || text[at] === "#")) at++;
  if (at === from || at - from > 2) return from;
  const next = at < to ? classOfUnit(text.charCodeAt(at)) : separator;
  const isFollowed = next === letter || next === upper || next === digit;
  const isName = classOfUnit(text.charCodeAt(from - 1)) !== digit;
  return isName && !isFollowed ? at : from;
}

function pushRun({ text, tokens }: Reading, from: number, to: number, isJoined: boolean): void {
  const run = text.slice(from, to);
  if (isPlain(text, from, to)) {
    const isCapital = classOfUnit(text.charCodeAt(from)) === upper;
    tokens.push({ start: from, end: to, word: isCapital ? run.toLowerCase() : run, isJoined });
    return;
  }
  let start = 0;
  if (hasHumps(run)) {
    for (const cut of humps(run)) {
      tokens.push({
        start: from + start,
        end: from + cut,
        word: fold(run.slice(start, cut)),
        isJoined: isJoined || start > 0,
      });
      start = cut;
    }
  }
  const word = fold(start === 0 ? run : run.slice(start));
  if (word !== "") tokens.push({ start: from + start, end: to, word, isJoined: isJoined || start > 0 });
}

/** An ASCII word without capitals except at its beginning, as nearly all are: there is nothing to cut or to fold. */
function isPlain(text: string, from: number, to: number): boolean {
  const first = text.charCodeAt(from);
  if (first > 127) return false;
  const second = from + 1 < to ? text.charCodeAt(from + 1) : 0;
  if ((first === 0x76 || first === 0x56) && classOfUnit(second) === digit) return false;
  for (let at = from + 1; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127 || classOfUnit(unit) === upper) return false;
  }
  return true;
}

function hasHumps(run: string): boolean {
  return /.[A-Z]|^[vV]\d|\P{ASCII}/u.test(run);
}

/** Places to cut a run of letters and digits: `use|State`, `HTML|Element`, `v|1`; nowhere if a part would be one letter. */
function humps(run: string): number[] {
  if (/^[vV]\d+$/.test(run)) return [1];
  const cuts: number[] = [];
  for (const match of run.matchAll(/(?<=[\p{Ll}\d])\p{Lu}|(?<=\p{Lu})\p{Lu}(?=\p{Ll}{2})/gu))
    cuts.push(match.index);
  const ends = [...cuts, run.length];
  const isCut = ends.every((end, index) => end - (ends[index - 1] ?? 0) >= 2);
  return isCut ? cuts : [];
}

function pushSegments(text: string, from: number, to: number, tokens: Token[]): number {
  let end = from;
  while (end < to && classAt(text, end, NO_EXTRA_LETTERS) === unspaced) end += widthAt(text, end);
  for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, end))) {
    // The segmenter takes some letters for punctuation, such as iteration marks.
    const word = isWordLike || /[\p{L}\p{N}]/u.test(segment) ? fold(segment) : "";
    if (word !== "")
      tokens.push({ start: from + index, end: from + index + segment.length, word, isJoined: false });
  }
  return end;
}

const NO_EXTRA_LETTERS: Set<number> = new Set();

function classAt(text: string, at: number, extraLetters: Set<number>): number {
  const unit = text.charCodeAt(at);
  const kind = classOfUnit(unit);
  if (extraLetters.size > 0 && extraLetters.has(unit)) return letter;
  if (kind !== surrogate) return kind;
  const codePoint = text.codePointAt(at)!;
  return codePoint > 0xffff ? classOfCodePoint(codePoint) : separator;
}

function widthAt(text: string, at: number): number {
  return classOfUnit(text.charCodeAt(at)) === surrogate && text.codePointAt(at)! > 0xffff ? 2 : 1;
}
