/**
 * Cropping: the part of a text, `length` words long, that says most about the query, as Meilisearch chooses it.
 *
 *   text     how to push an image to a warm builder and see its layers
 *   marks                   ^^^^^        ^^^^ ^^^^^^^
 *   length 5        …image to a warm builder…
 *
 * The matches that fit are those with the most different query words, then closest together, then most in the query's
 * order; of equal ones the first. Words that are left over go before and after them, rather inside of their sentence than
 * beyond it. The text's own ends are kept with their punctuation: a marker says that words are missing.
 */
import { bestMarks } from "./best-marks.ts";
import type { Mark, TextToken } from "./types.ts";

/** UTF-16 units `[start, end)`. */
export interface CropBounds {
  start: number;
  end: number;
}

export function cropBounds(
  text: string,
  tokens: readonly TextToken[],
  marks: readonly Mark[],
  length: number,
): CropBounds {
  if (tokens.length <= length) return { start: 0, end: text.length };
  const best = bestMarks(marks, length);
  if (!best) return { start: 0, end: tokens[length - 1]!.end };
  const window = { from: best.from, to: Math.min(best.to, best.from + length) };
  widen(text, tokens, window, length);
  return {
    start: window.from === 0 ? 0 : tokens[window.from]!.start,
    end: window.to === tokens.length ? text.length : tokens[window.to - 1]!.end,
  };
}

/** Words `[from, to)`. */
interface Window {
  from: number;
  to: number;
}

/** Takes words in from both sides in turn, first from the left; words farther after punctuation come later. */
function widen(text: string, tokens: readonly TextToken[], window: Window, length: number): void {
  const left = new Side((gap) => gapBefore(text, tokens, window.from, gap));
  const right = new Side((gap) => gapAfter(text, tokens, window.to, gap));
  while (window.to - window.from < length) {
    const isOpenLeft = window.from > 0;
    const isOpenRight = window.to < tokens.length;
    if (!isOpenRight) window.from--;
    else if (!isOpenLeft) window.to++;
    else if (left.isAtWord && right.isAtWord) {
      window.from--;
      left.begin();
      if (window.to - window.from < length) {
        window.to++;
        right.begin();
      }
    } else if (left.isAtWord) {
      window.from--;
      left.begin();
    } else if (right.isAtWord) {
      window.to++;
      right.begin();
    } else if (left.isHard === right.isHard) {
      left.pass();
      // The last word comes from the left.
      if (length - (window.to - window.from) > 1) right.pass();
    } else if (left.isHard) right.pass();
    else left.pass();
  }
}

/** The separators between the window and the next word of one side, one after the other. */
class Side {
  readonly #read: (passed: number) => Separator | null;
  #passed = 0;
  #next: Separator | null = null;

  constructor(read: (passed: number) => Separator | null) {
    this.#read = read;
    this.begin();
  }

  begin(): void {
    this.#passed = 0;
    this.#next = this.#read(0);
  }

  pass(): void {
    this.#passed += this.#next?.length ?? 0;
    this.#next = this.#read(this.#passed);
  }

  get isAtWord(): boolean {
    return this.#next === null;
  }

  get isHard(): boolean {
    return this.#next?.isHard ?? false;
  }
}

interface Separator {
  length: number;
  /** Whether a character ends a part of a sentence. */
  isHard: boolean;
}

const HARD = "!:;?¡§¶¿…‼‽、。！，．：；？";

function gapAfter(text: string, tokens: readonly TextToken[], to: number, passed: number): Separator | null {
  const start = tokens[to - 1]!.end + passed;
  const end = tokens[to]?.start ?? text.length;
  if (start >= end) return null;
  const isPair = start + 1 < end && isStop(text[start]!) && text[start + 1] === " ";
  return isPair ? { length: 2, isHard: true } : { length: 1, isHard: HARD.includes(text[start]!) };
}

function gapBefore(
  text: string,
  tokens: readonly TextToken[],
  from: number,
  passed: number,
): Separator | null {
  const end = tokens[from]!.start - passed;
  const start = tokens[from - 1]?.end ?? 0;
  if (end <= start) return null;
  const isPair = end - 1 > start && text[end - 1] === " " && isStop(text[end - 2]!);
  return isPair ? { length: 2, isHard: true } : { length: 1, isHard: HARD.includes(text[end - 1]!) };
}

function isStop(character: string): boolean {
  return character === "." || character === ",";
}
