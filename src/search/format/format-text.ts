import { MAX_FORMATTED_CHARACTERS } from "../contract/limits.ts";
import { cropBounds } from "./crop.ts";
import { findMarks } from "./find-marks.ts";
import { findStretches } from "./find-stretches.ts";
import type { Stretch, TextMatcher } from "./types.ts";

export interface TextFormat {
  /** Tags around every match; null = no highlighting. */
  tags: { pre: string; post: string } | null;
  /** Words to keep; null = no cropping. */
  crop: { length: number; marker: string } | null;
}

/** Highlights and crops one string. Nothing is escaped: the tags decide what is markup. */
export function formatText(text: string, format: TextFormat, matcher: TextMatcher): string {
  if (!format.tags && !format.crop) return text;
  // Zero words asked for: Meilisearch reads it as "do not crop".
  if (!format.crop || format.crop.length === 0) {
    if (!format.tags) return text;
    return highlight(
      text,
      { start: 0, end: text.length },
      findStretches(searchedPart(text), matcher),
      format.tags,
    );
  }
  const { marker, length } = format.crop;
  const searched = searchedPart(text);
  const tokens = matcher.tokenize(searched);
  const marks = findMarks(searched, tokens, matcher);
  const kept = cropBounds(searched, tokens, marks, length);
  const body = highlight(text, kept, marks, format.tags);
  return (kept.start > 0 ? marker : "") + body + (kept.end < text.length ? marker : "");
}

/** The part of a text in which matches are looked for, without half of a surrogate pair at its end. */
export function searchedPart(text: string): string {
  if (text.length <= MAX_FORMATTED_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_FORMATTED_CHARACTERS - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? MAX_FORMATTED_CHARACTERS - 1 : MAX_FORMATTED_CHARACTERS);
}

function highlight(
  text: string,
  { start, end }: Stretch,
  marks: readonly Stretch[],
  tags: TextFormat["tags"],
): string {
  if (!tags || marks.length === 0) return text.slice(start, end);
  let out = "";
  let at = start;
  for (const mark of marks) {
    const from = Math.max(mark.start, start);
    const to = Math.min(mark.end, end);
    if (from >= to) continue;
    out += text.slice(at, from) + tags.pre + text.slice(from, to) + tags.post;
    at = to;
  }
  return out + text.slice(at, end);
}
