/**
 * Cropping: the window of `length` words that says most about the query.
 *
 *   text     how to push an image to a warm builder and see its layers
 *   marks                   ^^^^^        ^^^^ ^^^^^^^
 *   length 5        …image to a warm builder…
 *
 * The best window has the most different query words, then the most matches, then stands first. Words left over
 * are put before and after the matches in equal parts.
 */
import type { Mark, TextToken } from "./types.ts";

/** Words `[from, to)`. */
export interface CropWindow {
  from: number;
  to: number;
}

export function chooseWindow(wordCount: number, marks: readonly Mark[], length: number): CropWindow {
  if (wordCount <= length) return { from: 0, to: wordCount };
  const best = bestRun(marks, length);
  if (!best) return { from: 0, to: length };
  const spare = length - (best.to - best.from);
  const from = Math.max(0, Math.min(best.from - Math.floor(spare / 2), wordCount - length));
  return { from, to: from + length };
}

/** The words from the first to the last mark of the best group of marks that fits into `length` words. */
function bestRun(marks: readonly Mark[], length: number): CropWindow | null {
  let best: CropWindow | null = null;
  let bestDistinct = 0;
  let bestCount = 0;
  const counts = new Map<number, number>();
  let first = 0;
  for (let last = 0; last < marks.length; last++) {
    const mark = marks[last]!;
    counts.set(mark.queryWord, (counts.get(mark.queryWord) ?? 0) + 1);
    const to = mark.token + mark.tokens;
    while (first < last && to - marks[first]!.token > length) {
      const left = marks[first++]!.queryWord;
      const remaining = counts.get(left)! - 1;
      if (remaining === 0) counts.delete(left);
      else counts.set(left, remaining);
    }
    const count = last - first + 1;
    if (counts.size < bestDistinct || (counts.size === bestDistinct && count <= bestCount)) continue;
    best = { from: marks[first]!.token, to: Math.min(to, marks[first]!.token + length) };
    bestDistinct = counts.size;
    bestCount = count;
  }
  return best;
}

/** Where a window begins and ends in the text; the text's own ends are kept whole, with their punctuation. */
export function windowBounds(
  text: string,
  tokens: readonly TextToken[],
  window: CropWindow,
): { start: number; end: number } {
  const start = window.from === 0 ? 0 : tokens[window.from]!.start;
  const end = window.to >= tokens.length ? text.length : tokens[window.to - 1]!.end;
  return { start, end };
}
