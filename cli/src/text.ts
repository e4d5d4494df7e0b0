/** Makes a server's text safe for a terminal, and measures its width there. */

// Colors, cursor movements, titles and links; then all other control characters, including those that reorder a line.
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;
const CONTROLS = /[\p{Cc}\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069]/gu;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const ONLY_MARKS = /^(?:\p{M}|\p{Cf})+$/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Turns any text into one line without control characters. */
export function cleanText(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(ESCAPES, "")
    .replace(CONTROLS, "");
}

/** The same for each line of a message. */
export const cleanLines = (text: string): string => text.split("\n").map(cleanText).join("\n");

/** JSON on one line. Characters that a terminal would act on are escaped, so the value stays the same. */
export function cleanJson(value: unknown): string {
  return JSON.stringify(value).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Columns of a clean text. */
export function displayWidth(text: string): number {
  // Most texts are plain, and segmenting is slow.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text))
    width += ONLY_MARKS.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cuts a text to a width, with "…" as its last character. */
export function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Lines of at most `width` columns, broken at spaces. A longer word gets its own line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The candidate that differs in the fewest letters, if a typo explains the difference. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(3, Math.ceil(word.length / 2));
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance <= least && distance < word.length && (best === undefined || distance < least)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbors that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, rows[i - 2]![j - 2]! + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
