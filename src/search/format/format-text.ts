import { chooseWindow, windowBounds } from "./crop.ts";
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
    return format.tags ? highlight(text, 0, text.length, findStretches(text, matcher), format.tags) : text;
  }
  const { marker, length } = format.crop;
  const tokens = matcher.tokenize(text);
  const marks = findMarks(text, tokens, matcher);
  const { start, end } = windowBounds(text, tokens, chooseWindow(tokens.length, marks, length));
  const body = highlight(text, start, end, marks, format.tags);
  return (start > 0 ? marker : "") + body + (end < text.length ? marker : "");
}

function highlight(
  text: string,
  start: number,
  end: number,
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
