/**
 * The passage of a hit, as texts to search on its page: the sentence, the line of code or the cells with the best match, or
 * the heading. Also as a text fragment (`#keys:~:text=…`), which browsers mark on their own.
 */
import { hitText, splitParts, type TextPart } from "../search/hit-text.ts";
import type { DocsHit } from "../search/protocol.ts";

const MAX_PASSAGES = 4;
/** Characters. Only this much of a longer sentence is marked. */
const MAX_LENGTH = 300;

const HEADINGS = ["hierarchy_lvl4", "hierarchy_lvl3", "hierarchy_lvl2", "hierarchy_lvl1"] as const;

/** The best text first, as written in the record. */
export function passagesOf(hit: DocsHit): string[] {
  const content = hitText(hit, "content");
  const heading = HEADINGS.map((level) => hitText(hit, level)).find(Boolean) ?? [];
  const parts =
    content === null
      ? [heading]
      : hit.type === "row"
        ? splitParts(content, "\t")
        : hit.type === "code"
          ? splitParts(content, "\n")
          : sentencesOf(content);
  const ranked = parts
    .map((piece) => ({ text: cut(tidy(textOf(piece))), matches: matchCount(piece) }))
    .filter(({ text, matches }) => text !== "" && (content === null || matches > 0))
    .sort((a, b) => b.matches - a.matches);
  // A row is one unit; in a text, the best sentence shows why it was found.
  return ranked.slice(0, hit.type === "row" ? MAX_PASSAGES : 1).map(({ text }) => text);
}

/** The matched words, each once: for a page that no longer has the passage. */
export function wordsOf(hit: DocsHit): string[] {
  const parts = hitText(hit, "content") ?? [];
  const words = parts.flatMap(({ text, isMatch }) => (isMatch && text.length > 2 ? text.toLowerCase() : []));
  return [...new Set(words)].slice(0, MAX_PASSAGES);
}

/** @param path the hit's address without its origin; returned unchanged if the hit has no text. */
export function linkToPassage(path: string, hit: DocsHit): string {
  const directive = fragmentDirective(passagesOf(hit));
  return directive === "" || path.includes("#") ? path + directive : `${path}#${directive}`;
}

/** `:~:text=one&text=two`; "" without a text. */
export function fragmentDirective(texts: readonly string[]): string {
  // A "-" is part of the directive's syntax, like "," and "&", which are encoded anyway.
  const encode = (text: string) =>
    encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "")).replaceAll("-", "%2D");
  return texts.length === 0 ? "" : `:~:${texts.map((text) => `text=${encode(text)}`).join("&")}`;
}

/** The texts of an address with a directive, without their prefixes and suffixes. */
export function textsOfDirective(address: string): string[] {
  const directive = address.split(":~:")[1] ?? "";
  return directive
    .split("&")
    .slice(0, MAX_PASSAGES)
    .flatMap((part) => {
      if (!part.startsWith("text=")) return [];
      const [text = ""] = part
        .slice("text=".length)
        .split(",")
        .filter((piece) => !piece.endsWith("-") && !piece.startsWith("-"));
      return decode(text);
    })
    .filter((text) => text.trim() !== "" && text.length <= MAX_LENGTH);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Splits after ".", "!" and "?" before a blank, and at line breaks. */
function sentencesOf(parts: TextPart[]): TextPart[][] {
  const text = textOf(parts);
  const ends = [...text.matchAll(/[.!?:](?=\s)|\n/g)].map(({ index }) => index + 1);
  let from = 0;
  return [...ends, text.length].map((to) => {
    const sentence = slice(parts, from, to);
    from = to;
    return sentence;
  });
}

function slice(parts: TextPart[], from: number, to: number): TextPart[] {
  let at = 0;
  return parts.flatMap(({ text, isMatch }) => {
    const piece = text.slice(Math.max(from - at, 0), Math.max(to - at, 0));
    at += text.length;
    return piece ? [{ text: piece, isMatch }] : [];
  });
}

/** A record has blanks around code, but the page does not. */
const tidy = (text: string) => text.trim().replaceAll(/\s(?=[.,;:!?)])/g, "");

/** Cuts at a blank, because browsers search for whole words. */
function cut(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const blank = text.lastIndexOf(" ", MAX_LENGTH);
  return text.slice(0, blank > 0 ? blank : MAX_LENGTH);
}

const textOf = (parts: TextPart[]) => parts.map(({ text }) => text).join("");

function matchCount(parts: TextPart[]): number {
  return new Set(parts.filter(({ isMatch }) => isMatch).map(({ text }) => text.toLowerCase())).size;
}
