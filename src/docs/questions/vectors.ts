/** Vectors of length 1 as whole numbers of one byte: a cosine is a sum of products times two scales. */
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

/** Four sums at once, because each waits for its own last addition only. The length of vectors is a multiple of four. */
export function cosine({ rows, scales }: Vectors, row: number, query: Float32Array): number {
  const start = row * query.length;
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0; at < query.length; at += 4) {
    first += rows[start + at]! * query[at]!;
    second += rows[start + at + 1]! * query[at + 1]!;
    third += rows[start + at + 2]! * query[at + 2]!;
    fourth += rows[start + at + 3]! * query[at + 3]!;
  }
  return (first + second + third + fourth) * scales[row]!;
}
