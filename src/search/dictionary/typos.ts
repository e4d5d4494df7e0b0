/**
 * Terms within a few typos of a word: optimal string alignment distance (insert, delete, replace, swap neighbours; no
 * part edited twice), and one more where the first letters differ.
 *
 *   word  d e p o l y m e n t      term  d e p l o y m e n t      distance 1 (one swap)
 *
 * The sorted terms are read in order with one row of the distance table per letter. A term shares the rows of the
 * letters that it has in common with the one before it. When every cell of a row is over the limit, all terms with
 * the same beginning are passed over by their `shared` counts, one byte each: with a limit of one or two, nearly all.
 */
import type { Dictionary, TermRange } from "./dictionary.ts";

export interface TypoMatch {
  term: number;
  distance: number;
  /** Only a beginning of the term is that close. */
  isPrefix: boolean;
}

/** Rows of the distance table; letters beyond it are not compared. */
const MOST_LETTERS = 64;
/** More than any requested distance, yet small enough to be increased without leaving a byte. */
const FAR = 100;

// One table for all calls: they never overlap.
const rows = Array.from({ length: MOST_LETTERS + 1 }, () => new Uint8Array(MOST_LETTERS + 2));
/** Least distance between the whole word and a beginning of the term, by the number of the term's letters read. */
const beginnings = new Uint8Array(MOST_LETTERS + 1);

/**
 * Every term at a distance of 1 to `limit` from `word`, in order of terms; with `isPrefix` the terms that have
 * a beginning so close, and are not a plain completion of the word.
 */
export function findTypos(
  dictionary: Dictionary,
  word: string,
  limit: number,
  isPrefix: boolean,
): TypoMatch[] {
  const letters = Uint16Array.from({ length: Math.min(word.length, MOST_LETTERS) }, (_, at) =>
    word.charCodeAt(at),
  );
  const { from, to } = dictionary.prefixRange(word.slice(0, 1));
  const matches: TypoMatch[] = [];
  const read = (range: TermRange, cost: number) => {
    if (limit > cost) readRange(range, { dictionary, letters, limit: limit - cost, isPrefix, cost, matches });
  };
  read({ from: 0, to: from }, 1);
  read({ from, to }, 0);
  read({ from: to, to: dictionary.count }, 1);
  return matches;
}

interface Reading {
  dictionary: Dictionary;
  letters: Uint16Array;
  limit: number;
  isPrefix: boolean;
  /** Added to every distance, for a wrong first letter. */
  cost: number;
  matches: TypoMatch[];
}

function readRange(range: TermRange, reading: Reading): void {
  const { starts, shared } = reading.dictionary;
  const { limit, isPrefix } = reading;
  const width = reading.letters.length;
  for (let column = 0; column <= width; column++) rows[0]![column] = column <= limit ? column : FAR;
  beginnings[0] = rows[0]![width]!;
  // Rows up to this depth belong to letters of the term before; beyond `hopeless` letters nothing is worth reading.
  let valid = 0;
  let hopeless = 0;
  for (let term = range.from; term < range.to; term++) {
    const common = term === range.from ? 0 : shared[term]!;
    if (hopeless > 0 && common >= hopeless) continue;
    const length = Math.min(starts[term + 1]! - starts[term]!, MOST_LETTERS);
    valid = fillRows(reading, term, Math.min(valid, common), length);
    hopeless = valid < length ? valid : 0;
    if (hopeless > 0) continue;
    const distance = rows[length]![width]!;
    const best = isPrefix ? beginnings[length]! : distance;
    const total = best + reading.cost;
    if (best <= limit && total > 0)
      reading.matches.push({ term, distance: total, isPrefix: best < distance });
  }
}

/** Reads a term's letters from `depth` on. Returns how many were read until the limit was exceeded, or all of them. */
function fillRows(reading: Reading, term: number, depth: number, length: number): number {
  const { letters, starts } = reading.dictionary;
  const { limit, isPrefix } = reading;
  const width = reading.letters.length;
  const start = starts[term]!;
  for (let read = depth; read < length; read++) {
    const before = read > 0 ? letters[start + read - 1]! : 0;
    const least = fillRow(read + 1, letters[start + read]!, before, reading);
    beginnings[read + 1] = Math.min(beginnings[read]!, rows[read + 1]![width]!);
    const isPossible = least <= limit || (isPrefix && beginnings[read + 1]! <= limit);
    if (!isPossible) return read + 1 < length ? read + 1 : hopelessAtEnd(read + 1, width);
  }
  return length;
}

/** The term was read to its end but is too far away; its last cell says so. */
function hopelessAtEnd(length: number, width: number): number {
  rows[length]![width] = FAR;
  return length;
}

/** The row for one more letter of the term; returns its smallest cell. Cells over the limit need not be exact. */
function fillRow(depth: number, letter: number, letterBefore: number, reading: Reading): number {
  const { letters: word, limit } = reading;
  const row = rows[depth]!;
  const above = rows[depth - 1]!;
  // Further than `limit` from the diagonal every cell is over it.
  const from = Math.max(1, depth - limit);
  const to = Math.min(word.length, depth + limit);
  row[from - 1] = from === 1 && depth <= limit ? depth : FAR;
  let least = row[from - 1]!;
  for (let column = from; column <= to; column++) {
    const isSame = letter === word[column - 1];
    let cell = above[column - 1]! + (isSame ? 0 : 1);
    if (above[column]! + 1 < cell) cell = above[column]! + 1;
    if (row[column - 1]! + 1 < cell) cell = row[column - 1]! + 1;
    if (column > 1 && depth > 1 && letter === word[column - 2] && letterBefore === word[column - 1]) {
      cell = Math.min(cell, rows[depth - 2]![column - 2]! + 1);
    }
    row[column] = Math.min(cell, FAR);
    if (cell < least) least = cell;
  }
  for (let column = to + 1; column <= word.length; column++) row[column] = FAR;
  // The whole word's cell is read whatever the depth.
  if (word.length < from) row[word.length] = FAR;
  return least;
}
