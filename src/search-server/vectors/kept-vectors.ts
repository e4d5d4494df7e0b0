/**
 * The vectors of an index in memory, as numbers in a row. They are read from the documents at the first search that compares them,
 * and only as many as `MAX_KEPT_VECTOR_BYTES` are kept.
 */
import { type OpenedIndex, type Steps, VECTORS } from "#search/index.ts";
import { MAX_INDEX_VECTOR_BYTES, MAX_KEPT_VECTOR_BYTES } from "../protocol/limits.ts";
import { storedVectors } from "./stored-vectors.ts";

export interface Rows {
  /** The document of each vector. */
  documents: Uint32Array;
  /** One vector after another, each with the length 1. */
  numbers: Float32Array;
}

export interface Wanted {
  name: string;
  /** Vectors of other lengths are left out. */
  dimensions: number;
  isQuantized: boolean;
}

interface Kept {
  /** An index that was replaced is not held. */
  index: WeakRef<OpenedIndex>;
  key: string;
  rows: Rows;
}

/** The ones used last come last. */
let kept: Kept[] = [];

export function* keptVectors(index: OpenedIndex, wanted: Wanted): Steps<Rows> {
  const key = JSON.stringify([wanted.name, wanted.dimensions, wanted.isQuantized]);
  const known = kept.find((one) => one.key === key && one.index.deref() === index);
  const rows = known?.rows ?? (yield* readRows(index, wanted));
  const others = kept.filter((one) => one.rows !== rows && one.index.deref() !== undefined);
  kept = lastOnes([...others, { index: known?.index ?? new WeakRef(index), key, rows }]);
  return rows;
}

function lastOnes(all: readonly Kept[]): Kept[] {
  let bytes = 0;
  const first = all.findLastIndex(({ rows }) => (bytes += rows.numbers.byteLength) > MAX_KEPT_VECTOR_BYTES);
  return all.slice(first + 1);
}

/** Numbers that are read between two yields. */
const STRETCH = 50_000;

const isVectors = (name: string) => name === VECTORS;

/** Not charged to the request that happens to come first, which would then have no work left for its own hits. */
function* readRows(index: OpenedIndex, { name, dimensions, isQuantized }: Wanted): Steps<Rows> {
  const count = (index.fieldCounts[VECTORS] ?? 0) > 0 ? index.documentCount : 0;
  const documents: number[] = [];
  // Nearly always one vector of a document; what is not written takes no memory.
  let numbers = new Float32Array(Math.min(count * dimensions, MOST_NUMBERS));
  let end = 0;
  for (let id = 0, read = 0; id < count; id++) {
    for (const vector of storedVectors(index.readDocument(id, isVectors), name).get(name)?.embeddings ?? []) {
      read += vector.length;
      if (vector.length !== dimensions) continue;
      if (end + dimensions > numbers.length) numbers = longer(numbers, end + dimensions);
      numbers.set(isQuantized ? vector.map(signOf) : vector, end);
      normalize(numbers, end, end + dimensions);
      documents.push(id);
      end += dimensions;
    }
    if (read < STRETCH) continue;
    read = 0;
    yield;
  }
  return {
    documents: Uint32Array.from(documents),
    numbers: end === numbers.length ? numbers : numbers.slice(0, end),
  };
}

const MOST_NUMBERS = MAX_INDEX_VECTOR_BYTES / 4;

function longer(numbers: Float32Array<ArrayBuffer>, least: number): Float32Array<ArrayBuffer> {
  const copy = new Float32Array(Math.max(least, Math.ceil(numbers.length * 1.5)));
  copy.set(numbers);
  return copy;
}

const signOf = (number: number) => (number < 0 ? -1 : 1);

function normalize(numbers: Float32Array, from: number, to: number): void {
  const length = lengthOf(numbers, from, to);
  if (length > 0) for (let at = from; at < to; at++) numbers[at]! /= length;
}

export function lengthOf(numbers: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += numbers[at]! * numbers[at]!;
  return Math.sqrt(sum);
}
