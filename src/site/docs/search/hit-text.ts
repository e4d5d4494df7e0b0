/**
 * The texts of a hit, their matches, and their excerpts. Matches arrive between
 * the protocol's highlight tags and are returned as parts, never as HTML.
 */
import { HIGHLIGHT_POST_TAG, HIGHLIGHT_PRE_TAG, type DocsHit } from "./protocol.ts";

export interface TextPart {
  text: string;
  isMatch: boolean;
}

export type HitField = "content" | "summary" | `hierarchy_lvl${0 | 1 | 2 | 3 | 4}`;

/** Approximate maximum length of a hit's content, in characters. */
const EXCERPT_LENGTH = 240;
/** Characters shown before the first match, so that the reader sees its sentence. */
const EXCERPT_LEAD = 60;

/** @returns null for a field that is absent, empty or the literal "null": it is not displayed. */
export function hitText(hit: DocsHit, field: HitField): TextPart[] | null {
  const { [field]: raw, _formatted: formattedFields } = hit;
  if (typeof raw !== "string" || raw === "" || raw === "null") return null;
  const formatted = formattedFields?.[field];
  return splitHighlight(typeof formatted === "string" && formatted !== "" ? formatted : raw);
}

/** Cuts a text at its highlight tags. Tags without a partner mark nothing and disappear. */
export function splitHighlight(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const [before = "", ...marked] = text.split(HIGHLIGHT_PRE_TAG);
  addPart(parts, before.replaceAll(HIGHLIGHT_POST_TAG, ""), false);
  for (const piece of marked) {
    const end = piece.indexOf(HIGHLIGHT_POST_TAG);
    if (end >= 0) addPart(parts, piece.slice(0, end), true);
    const rest = end < 0 ? piece : piece.slice(end + HIGHLIGHT_POST_TAG.length);
    addPart(parts, rest.replaceAll(HIGHLIGHT_POST_TAG, ""), false);
  }
  return parts;
}

/** Merges neighbours of the same kind into one part: fewer nodes, and an excerpt can cut anywhere. */
function addPart(parts: TextPart[], text: string, isMatch: boolean): void {
  if (text === "") return;
  const last = parts.at(-1);
  if (last && last.isMatch === isMatch) last.text += text;
  else parts.push({ text, isMatch });
}

/** The text around the best match, cut between words, with "…" where something was left out. */
export function excerpt(parts: TextPart[], length = EXCERPT_LENGTH): TextPart[] {
  const text = parts.map((part) => part.text).join("");
  if (text.length <= length) return parts;
  const lead = Math.min(EXCERPT_LEAD, Math.floor(length / 4));
  const matchAt = bestMatch(parts, length - lead);
  const from = matchAt <= lead ? 0 : wordStart(text, Math.min(matchAt - lead, text.length - length));
  const to = from + length >= text.length ? text.length : wordEnd(text, from + length);
  const shown: TextPart[] = [];
  if (from > 0) addPart(shown, "… ", false);
  let position = 0;
  for (const part of parts) {
    addPart(shown, part.text.slice(Math.max(from - position, 0), Math.max(to - position, 0)), part.isMatch);
    position += part.text.length;
  }
  if (to < text.length) addPart(shown, " …", false);
  return shown;
}

/** Start of the first match with the most different ones within `length` characters; 0 without a match. */
function bestMatch(parts: TextPart[], length: number): number {
  let position = 0;
  const matches = parts.flatMap(({ text, isMatch }) => {
    const at = position;
    position += text.length;
    return isMatch ? [{ at, end: position, word: text.toLowerCase() }] : [];
  });
  let best = { at: 0, words: 0 };
  for (const { at } of matches) {
    const near = matches.filter((other) => other.at >= at && other.end <= at + length);
    const words = new Set(near.map(({ word }) => word)).size;
    if (words > best.words || best.words === 0) best = { at, words };
  }
  return best.at;
}

/** Splits marked text at a separator and drops the separator. */
export function splitParts(parts: TextPart[], sign: string): TextPart[][] {
  const pieces: TextPart[][] = [[]];
  for (const { text, isMatch } of parts)
    text.split(sign).forEach((piece, at) => {
      if (at > 0) pieces.push([]);
      addPart(pieces.at(-1) ?? [], piece, isMatch);
    });
  return pieces;
}

/** How far a cut moves to find a space; a longer word is split. */
const MAX_WORD = 30;

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + MAX_WORD).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  const start = Math.max(at - MAX_WORD, 0);
  const space = text.slice(start, at).search(/\s\S*$/);
  return space < 0 ? at : start + space;
}

/**
 * The hit's address without its origin: path, query and anchor. Whatever the record contains, the result
 * starts with exactly one slash, so that a link to it stays on this site.
 */
export function hitPath(url: string): string {
  try {
    const { pathname, search, hash } = new URL(url, "https://site.invalid");
    return `/${pathname.replace(/^[/\\]+/, "")}${search}${hash}`;
  } catch {
    return "/";
  }
}
