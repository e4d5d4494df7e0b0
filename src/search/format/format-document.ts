import type {
  CropOptions,
  HighlightOptions,
  Json,
  MatchPosition,
  SearchDocument,
} from "../contract/types.ts";
import { setOwn } from "../contract/own-properties.ts";
import type { Work } from "../contract/work.ts";
import { coversPath } from "../contract/attribute-paths.ts";
import { createAttributePicker } from "./attribute-picker.ts";
import { findStretches } from "./find-stretches.ts";
import { formatText, searchedPart, type TextFormat } from "./format-text.ts";
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

/**
 * Prepares the `formatted` copies of one search: the retrieved, highlighted and cropped attributes of a document,
 * with numbers as text, as Meilisearch has them in `_formatted`.
 */
export function createDocumentFormatter(request: FormatRequest, matcher: TextMatcher, work: Work) {
  const { highlight, crop } = request;
  const cropRules = (crop?.attributes ?? []).map((name) => parseCropRule(name, crop?.length ?? 10));
  const tags = highlight ? { pre: highlight.preTag, post: highlight.postTag } : null;
  const shown = [
    ...request.retrieve,
    ...(highlight?.attributes ?? []),
    ...cropRules.map((rule) => rule.name),
  ];
  const pickDisplayed = createAttributePicker(request.displayed);
  const pickShown = createAttributePicker(shown);
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
    if (typeof value === "string") return formatString(value, formatOf(path));
    if (typeof value === "number") return formatString(String(value), formatOf(path));
    if (Array.isArray(value)) return value.map((item) => formatValue(item, path));
    if (value === null || typeof value !== "object") return value;
    return formatObject(value, `${path}.`);
  }

  function formatString(text: string, format: TextFormat): string {
    if (format.tags || format.crop) work.add(text.length);
    return formatText(text, format, matcher);
  }

  function formatObject(source: { [key: string]: Json }, prefix: string): { [key: string]: Json } {
    const formatted: { [key: string]: Json } = {};
    for (const key of Object.keys(source)) setOwn(formatted, key, formatValue(source[key]!, prefix + key));
    return formatted;
  }

  return (document: SearchDocument): SearchDocument => formatObject(pickShown(pickDisplayed(document)), "");
}

/** `content:30` is thirty words of `content`. */
function parseCropRule(text: string, length: number): CropRule {
  const colon = text.lastIndexOf(":");
  const own = colon < 0 ? "" : text.slice(colon + 1);
  return /^\d+$/.test(own) ? { name: text.slice(0, colon), length: Number(own) } : { name: text, length };
}

/**
 * The places of the query's words in a document, by attribute. `start` and `length` are bytes of UTF-8, as
 * Meilisearch counts them; `indices` leads to the element where the value is an array.
 */
export function findMatchPositions(
  document: SearchDocument,
  displayed: readonly string[],
  matcher: TextMatcher,
  work: Work,
): { [attribute: string]: MatchPosition[] } {
  const positions = new Map<string, MatchPosition[]>();
  const visit = (value: Json, path: string, indices: number[]): void => {
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      work.add(text.length);
      const found = positionsIn(text, indices, matcher);
      if (found.length === 0) return;
      const known = positions.get(path);
      // Not spread into a call, because a long text may have more matches than a call can take arguments.
      if (known) for (const position of found) known.push(position);
      else positions.set(path, found);
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, path, [...indices, index]));
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) visit(item, path ? `${path}.${key}` : key, indices);
    }
  };
  visit(createAttributePicker(displayed)(document), "", []);
  return Object.fromEntries(positions);
}

function positionsIn(text: string, indices: number[], matcher: TextMatcher): MatchPosition[] {
  let done = 0;
  let bytes = 0;
  return findStretches(searchedPart(text), matcher).map(({ start, end }) => {
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
