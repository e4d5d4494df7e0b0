/**
 * Fits a title of any length: chooses a font size and lines. Larger sizes allow fewer lines; a line never
 * exceeds its own limit, and a word is never broken.
 */

export interface FittedTitle {
  size: number;
  lines: string[];
}

interface Limits {
  /** Width of one line in px. */
  measure: (text: string, size: number) => number;
  /** Maximum width of the n-th line (from 0) at a size, px. */
  maxWidth: (line: number, size: number) => number;
}

const STEPS = [
  { size: 76, lines: 2 },
  { size: 64, lines: 3 },
  { size: 56, lines: 3 },
  { size: 48, lines: 4 },
  { size: 40, lines: 5 },
  { size: 32, lines: 6 },
];

export function fitTitle(title: string, limits: Limits): FittedTitle {
  const words = title.split(/\s+/u).filter(Boolean);
  for (const { size, lines: maxLines } of STEPS) {
    const fits = (text: string, line: number) => limits.measure(text, size) <= limits.maxWidth(line, size);
    const lines = wrap(words, fits);
    if (lines && lines.length <= maxLines) return { size, lines: balance(words, lines, limits, size) };
  }
  return shorten(words, limits);
}

/** Fills line after line. @returns null if a single word is too long. */
function wrap(words: string[], fits: (text: string, line: number) => boolean): string[] | null {
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    const longer = current ? `${current} ${word}` : word;
    if (fits(longer, lines.length)) {
      current = longer;
      continue;
    }
    if (!current) return null;
    lines.push(current);
    if (!fits(word, lines.length)) return null;
    current = word;
  }
  return current ? [...lines, current] : lines;
}

/** Lines of similar length: the narrowest column, in steps of 8 px, that needs no more lines. */
function balance(words: string[], lines: string[], { measure, maxWidth }: Limits, size: number): string[] {
  let best = lines;
  for (let column = maxWidth(0, size) - 8; column > 0; column -= 8) {
    const fits = (text: string, line: number) =>
      measure(text, size) <= Math.min(column, maxWidth(line, size));
    const narrower = wrap(words, fits);
    if (!narrower || narrower.length > lines.length) return best;
    best = narrower;
  }
  return best;
}

/** For very long titles: whole words from the start, then "…"; a single very long word is scaled down. */
function shorten(words: string[], { measure, maxWidth }: Limits): FittedTitle {
  const { size, lines: maxLines } = STEPS.at(-1) ?? { size: 32, lines: 6 };
  const fits = (text: string, line: number) => measure(text, size) <= maxWidth(line, size);
  for (let count = words.length - 1; count > 0; count -= 1) {
    const lines = wrap([...words.slice(0, count - 1), `${words[count - 1]} …`], fits);
    if (lines && lines.length <= maxLines) return { size, lines };
  }
  const word = words[0] ?? "";
  return { size: (size * maxWidth(0, size)) / Math.max(measure(word, size), 1), lines: [word] };
}
