/**
 * Finds texts in a log, however many there are: each position costs one lookup in a table, plus at most one per pattern length
 * where a text may begin.
 *
 *   "correct-horse"            a pattern of its own
 *   a key of 1,000 characters  patterns of 32: 0–32, 32–64, …, 968–1000, each of which knows its position in the key
 *
 * The text around a piece is also compared with the key, so that a part of a key in a line is covered completely.
 */

/** Shorter texts would cover half of a log. */
export const MIN_LENGTH = 6;
const PIECE_LENGTH = 32;
const LEAST_SLOTS = 1024;
/** Slots of the table per pattern: one position in this many is looked up in vain. */
const SLOTS_PER_PATTERN = 8;

/** `to` is exclusive. */
export type Span = readonly [from: number, to: number];

interface Place {
  text: string;
  at: number;
}

export class Patterns {
  /** A piece has a place; a whole pattern has none. */
  readonly #all = new Map<string, Place | null>();
  /** By hash of a pattern's start: a bit for each length of such patterns. */
  #lengths = new Int32Array(LEAST_SLOTS);

  /** Number of patterns, including pieces. */
  get size(): number {
    return this.#all.size;
  }

  /** Texts that are too short are not searched for. */
  add(text: string): void {
    if (text.length < MIN_LENGTH) return;
    if (text.length < PIECE_LENGTH) return this.#insert(text, null);
    const last = text.length - PIECE_LENGTH;
    for (let at = 0; at < last; at += PIECE_LENGTH) this.#insertPiece(text, at);
    this.#insertPiece(text, last);
  }

  /** In order; spans do not touch each other. */
  find(text: string): Span[] {
    const spans: [number, number][] = [];
    if (this.#all.size === 0) return spans;
    let end = 0;
    const hash = createHash(text);
    for (let at = 0; at + MIN_LENGTH <= text.length; at += 1) {
      const lengths = this.#lengths[hash.next() & (this.#lengths.length - 1)] ?? 0;
      if (lengths === 0) continue;
      const found = this.#match(text, { at, lengths, end });
      if (!found) continue;
      const last = spans.at(-1);
      if (last && found[0] <= end) last[1] = found[1];
      else spans.push([found[0], found[1]]);
      [, end] = found;
    }
    return spans;
  }

  /** @param end of the covered text. @returns the longest match that covers more */
  #match(text: string, { at, lengths, end }: { at: number; lengths: number; end: number }): Span | null {
    for (let left = lengths; left !== 0;) {
      const bit = 31 - Math.clz32(left);
      left ^= 1 << bit;
      const to = at + bit + MIN_LENGTH;
      if (to <= end) return null;
      const place = to > text.length ? undefined : this.#all.get(text.slice(at, to));
      if (place !== undefined) return place ? widen(text, [at, to], { ...place, end }) : [at, to];
    }
    return null;
  }

  #insertPiece(text: string, at: number): void {
    this.#insert(text.slice(at, at + PIECE_LENGTH), { text, at });
  }

  #insert(pattern: string, place: Place | null): void {
    if (this.#all.has(pattern)) return;
    this.#all.set(pattern, place);
    if (this.#all.size * SLOTS_PER_PATTERN <= this.#lengths.length) return this.#note(pattern);
    this.#lengths = new Int32Array(this.#lengths.length * 2);
    for (const known of this.#all.keys()) this.#note(known);
  }

  #note(pattern: string): void {
    const slot = createHash(pattern).next() & (this.#lengths.length - 1);
    this.#lengths[slot] = (this.#lengths[slot] ?? 0) | (1 << (pattern.length - MIN_LENGTH));
  }
}

/** Extends the match: before the piece, up to where another piece would have matched; after it, as far as the key matches. */
function widen(
  text: string,
  [from, to]: Span,
  { text: whole, at, end }: Place & { end: number },
): [number, number] {
  let [start, stop] = [from, to];
  for (let back = 1; back < PIECE_LENGTH && back <= at && start > end; back += 1) {
    if (text[from - back] !== whole[at - back]) break;
    start = from - back;
  }
  for (let next = at + PIECE_LENGTH; next < whole.length && stop < text.length; next += 1) {
    if (text[stop] !== whole[next]) break;
    stop += 1;
  }
  return [start, stop];
}

const FACTOR = 31;
const FACTOR_BEFORE = FACTOR ** MIN_LENGTH;

/** Rolling hash of the `MIN_LENGTH` characters at each position of a text; each step costs the same. */
function createHash(text: string) {
  let [sum, at] = [0, 0];
  for (; at < MIN_LENGTH - 1; at += 1) sum = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
  return {
    next(): number {
      sum = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
      if (at >= MIN_LENGTH) sum = (sum - Math.imul(text.charCodeAt(at - MIN_LENGTH), FACTOR_BEFORE)) | 0;
      at += 1;
      return Math.imul(sum, 0x9e3779b1) >>> 8;
    },
  };
}
