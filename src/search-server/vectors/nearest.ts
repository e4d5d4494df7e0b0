/**
 * The documents whose vectors are most similar to a given one. Every vector is compared: with a limit on their bytes that takes
 * some ten milliseconds, and unlike a graph of neighbours it misses nothing and takes any filter.
 */
import { type OpenedIndex, type Steps, type Work } from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import type { Embedder } from "../settings/embedders.ts";
import { keptVectors, lengthOf, type Rows } from "./kept-vectors.ts";

export interface Nearest {
  document: number;
  /** 0 to 1. */
  similarity: number;
}

export interface Question {
  name: string;
  embedder: Embedder;
  vector: readonly number[] | Float32Array;
  /** Documents that may be found; null: all. */
  filter: Uint8Array | null;
  work: Work;
}

/** Numbers that are multiplied between two yields. */
const STRETCH = 1_000_000;
/** Numbers that are one unit of work. */
const NUMBERS_OF_UNIT = 8;

/** Most similar first. @throws ApiError */
export function* nearestSteps(index: OpenedIndex, question: Question): Steps<Nearest[]> {
  const { name, embedder, filter, work } = question;
  const { vector } = question;
  if (embedder.dimensions !== undefined && vector.length !== embedder.dimensions)
    throw new ApiError(
      "invalid_vector_dimensions",
      `Invalid vector dimensions: expected: \`${embedder.dimensions}\`, found: \`${vector.length}\`.`,
    );
  const isQuantized = embedder.binaryQuantized === true;
  const rows = yield* keptVectors(index, { name, dimensions: vector.length, isQuantized, work });
  const best = yield* compare(rows, normalized(vector, isQuantized), { filter, work });
  const found = Array.from(best, ([document, cosine]) => ({
    document,
    similarity: shift((1 + cosine) / 2, embedder),
  }));
  work.add(found.length);
  yield;
  return found.sort((a, b) => b.similarity - a.similarity || a.document - b.document);
}

/** A document with several vectors counts with its nearest. */
function* compare(
  { documents, numbers }: Rows,
  vector: Float32Array,
  { filter, work }: Pick<Question, "filter" | "work">,
): Steps<Map<number, number>> {
  const best = new Map<number, number>();
  const { length } = vector;
  const stretch = Math.max(1, Math.floor(STRETCH / length));
  for (let row = 0; row < documents.length; row++) {
    if (row % stretch === stretch - 1) {
      work.add((stretch * length) / NUMBERS_OF_UNIT);
      if (work.isOver()) throw tooMuch();
      yield;
    }
    const document = documents[row]!;
    if (filter && filter[document] !== 1) continue;
    let product = 0;
    for (let at = 0, from = row * length; at < length; at++) product += vector[at]! * numbers[from + at]!;
    const cosine = Math.max(-1, Math.min(1, product));
    const known = best.get(document);
    if (known === undefined || cosine > known) best.set(document, cosine);
  }
  return best;
}

function tooMuch(): ApiError {
  return new ApiError(
    "bad_request",
    "Comparing the vectors takes more work than one request allows. Send fewer queries at once, or narrow the search with a filter.",
  );
}

function normalized(vector: Question["vector"], isQuantized: boolean): Float32Array {
  const copy = Float32Array.from(vector, (number) => (isQuantized ? Math.sign(number) || 1 : number));
  const length = lengthOf(copy, 0, copy.length);
  return length > 0 ? copy.map((number) => number / length) : copy;
}

/** Spreads the similarities that a model gives around 0.5, as the embedder's `distribution` says. */
function shift(similarity: number, { distribution }: Embedder): number {
  if (!distribution) return similarity;
  const factor = 0.4 / distribution.sigma;
  return Math.max(0, Math.min(1, factor * similarity + 0.5 - factor * distribution.mean));
}
