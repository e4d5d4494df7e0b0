/** Vectors of length 1. In files they are whole numbers of one byte and a scale; opened, a cosine is a sum of products. */
import type { WordsTable } from "./words-table.ts";

export interface Vectors {
  count: number;
  rows: Int8Array;
  scales: Float32Array;
}

/** Pieces → how often and how much they count. @returns length 1, or all zeros */
export function sumOf(table: WordsTable, pieces: Iterable<readonly [number, number]>): Float32Array {
  const { dimensions, rows, scales } = table;
  const sum = new Float32Array(dimensions);
  for (const [piece, weight] of pieces) {
    const factor = weight * scales[piece]!;
    const start = piece * dimensions;
    for (let at = 0; at < dimensions; at++) sum[at]! += factor * rows[start + at]!;
  }
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((value) => value / length);
}

export function packVectors(vectors: readonly Float32Array[], dimensions: number): Vectors {
  const rows = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  for (const [row, vector] of vectors.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    scales[row] = largest / 127;
    rows.set(
      vector.map((value) => Math.round((127 * value) / largest)),
      row * dimensions,
    );
  }
  return { count: vectors.length, rows, scales };
}

/** Vectors to compare with: numbers of four bytes, because turning a byte into such a number costs as much as the product. */
export interface OpenVectors {
  count: number;
  dimensions: number;
  rows: Float32Array;
  /** The length of what follows each vector's leading numbers. */
  rests: Float32Array;
}

/**
 * Training puts the numbers that differ most first: these decide for two of three known questions that they are too far from a query.
 * A multiple of four, as the length of vectors is.
 */
const LEADING = 48;

export function openVectors({ count, rows: packed, scales }: Vectors, dimensions: number): OpenVectors {
  const rows = Float32Array.from(packed, (value, at) => value * scales[Math.floor(at / dimensions)]!);
  const rests = new Float32Array(count);
  for (let row = 0; row < count; row++)
    rests[row] = restOf(rows.subarray(row * dimensions, (row + 1) * dimensions));
  return { count, dimensions, rows, rests };
}

export function restOf(vector: Float32Array): number {
  return Math.sqrt(vector.subarray(LEADING).reduce((sum, value) => sum + value * value, 0));
}

export function cosine({ rows, dimensions }: OpenVectors, row: number, query: Float32Array): number {
  return products(rows, row * dimensions, query, { from: 0, to: dimensions });
}

/** A vector with the length of what follows its leading numbers. */
export interface Asked {
  vector: Float32Array;
  rest: number;
}

/** The cosine if it is above `least`, else `least`: most are known to be below it from their leading numbers. */
export function cosineAbove(
  { rows, rests, dimensions }: OpenVectors,
  row: number,
  { vector, rest }: Asked,
  least: number,
): number {
  const start = row * dimensions;
  const leading = products(rows, start, vector, { from: 0, to: Math.min(LEADING, dimensions) });
  // No product of two vectors is above that of their lengths.
  if (leading + rest * rests[row]! <= least) return least;
  return Math.max(least, leading + products(rows, start, vector, { from: LEADING, to: dimensions }));
}

interface Range {
  from: number;
  to: number;
}

/** Four sums at once, because each waits for its own last addition only. */
function products(rows: Float32Array, start: number, query: Float32Array, { from, to }: Range): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 4) {
    first += rows[start + at]! * query[at]!;
    second += rows[start + at + 1]! * query[at + 1]!;
    third += rows[start + at + 2]! * query[at + 2]!;
    fourth += rows[start + at + 3]! * query[at + 3]!;
  }
  return first + second + third + fourth;
}
