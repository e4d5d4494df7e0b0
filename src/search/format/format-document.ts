import type { CropOptions, HighlightOptions, Json, MatchPosition, SearchDocument } from "../types.ts";
import { coversPath, reachesPath } from "./attribute-paths.ts";
import { findStretches } from "./find-stretches.ts";
import { formatText, type TextFormat } from "./format-text.ts";
import type { TextMatcher } from "./types.ts";

export interface FormatRequest {
  /** Attributes that may be shown (the index's displayed attributes). */
  displayed: readonly string[];
  retrieve: readonly string[];
  highlight?: HighlightOptions;
  crop?: CropOptions;
}

interface CropRule {
  name: string;
  length: number;
}

/** The part of a document that `names` cover; objects keep only the covered part of themselves. */
export function pickAttributes(document: SearchDocument, names: readonly string[]): SearchDocument {
  if (names.includes("*")) return document;
  const picked: SearchDocument = {};
  for (const [name, value] of Object.entries(document)) {
    if (coversPath(names, name)) picked[name] = value;
    else if (reachesPath(names, name)) picked[name] = pickNested(value, name, names);
  }
  return picked;
}

function pickNested(value: Json, path: string, names: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => pickNested(item, path, names));
  if (value === null || typeof value !== "object") return value;
  const picked: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    const below = `${path}.${key}`;
    if (coversPath(names, below)) picked[key] = item;
    else if (reachesPath(names, below)) picked[key] = pickNested(item, below, names);
  }
  return picked;
}

/**
 * Prepares the `formatted` copies of one search: the retrieved, highlighted and cropped attributes of a document,
 * with numbers as text, as Meilisearch has them in `_formatted`.
 */
export function createDocumentFormatter(request: FormatRequest, matcher: TextMatcher) {
  const { highlight, crop } = request;
  const cropRules = (crop?.attributes ?? []).map((name) => parseCropRule(name, crop?.length ?? 10));
  const tags = highlight ? { pre: highlight.preTag, post: highlight.postTag } : null;
  const shown = [
    ...request.retrieve,
    ...(highlight?.attributes ?? []),
    ...cropRules.map((rule) => rule.name),
  ];
  // The same paths come back in every hit; what to do with each is decided once.
  const formats = new Map<string, TextFormat>();

  function formatOf(path: string): TextFormat {
    const known = formats.get(path);
    if (known) return known;
    const rule =
      cropRules.find((rule) => rule.name === path) ?? cropRules.find((rule) => coversPath([rule.name], path));
    const format: TextFormat = {
      tags: highlight && coversPath(highlight.attributes, path) ? tags : null,
      crop: rule && crop ? { length: rule.length, marker: crop.marker } : null,
    };
    formats.set(path, format);
    return format;
  }

  function formatValue(value: Json, path: string): Json {
    if (typeof value === "string") return formatText(value, formatOf(path), matcher);
    if (typeof value === "number") return formatText(String(value), formatOf(path), matcher);
    if (Array.isArray(value)) return value.map((item) => formatValue(item, path));
    if (value === null || typeof value !== "object") return value;
    return formatObject(value, `${path}.`);
  }

  function formatObject(source: { [key: string]: Json }, prefix: string): { [key: string]: Json } {
    const formatted: { [key: string]: Json } = {};
    for (const key of Object.keys(source)) formatted[key] = formatValue(source[key]!, prefix + key);
    return formatted;
  }

  return (document: SearchDocument): SearchDocument =>
    formatObject(pickAttributes(pickAttributes(document, request.displayed), shown), "");
}

/** `content:30` is thirty words of `content`. */
function parseCropRule(text: string, length: number): CropRule {
  const colon = text.lastIndexOf(":");
  const own = colon < 0 ? "" : text.slice(colon + 1);
  return /^\d+$/.test(own) ? { name: text.slice(0, colon), length: Number(own) } : { name: text, length };
}

/**
 * Where the query's words stand in a document, by attribute. `start` and `length` are bytes of UTF-8, as
 * Meilisearch counts them; `indices` leads to the element where the value is an array.
 */
export function findMatchPositions(
  document: SearchDocument,
  displayed: readonly string[],
  matcher: TextMatcher,
): { [attribute: string]: MatchPosition[] } {
  const positions: { [attribute: string]: MatchPosition[] } = {};
  const visit = (value: Json, path: string, indices: number[]): void => {
    if (typeof value === "string" || typeof value === "number") {
      const found = positionsIn(String(value), indices, matcher);
      if (found.length > 0) (positions[path] ??= []).push(...found);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, path, [...indices, index]));
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) visit(item, path ? `${path}.${key}` : key, indices);
    }
  };
  visit(pickAttributes(document, displayed), "", []);
  return positions;
}

function positionsIn(text: string, indices: number[], matcher: TextMatcher): MatchPosition[] {
  let done = 0;
  let bytes = 0;
  return findStretches(text, matcher).map(({ start, end }) => {
    bytes += byteLength(text, done, start);
    const position = { start: bytes, length: byteLength(text, start, end) };
    bytes += position.length;
    done = end;
    return indices.length > 0 ? { ...position, indices } : position;
  });
}

/** UTF-8 bytes of `text[from, to)`, which never splits a surrogate pair. */
function byteLength(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}
