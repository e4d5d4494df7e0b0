/**
 * The vectors of an index in memory, as numbers in a row. They are read from the documents at the first search that compares them,
 * and only as many as `MAX_KEPT_VECTOR_BYTES` are kept. Searches that need the same ones read them together: each reads on where the
 * one before it stopped, also when that one was refused.
 */
import { type OpenedIndex, type Steps, VECTORS, type Work } from "#search/index.ts";
import { tooManySearches } from "../protocol/errors.ts";
import { MAX_INDEX_VECTOR_BYTES, MAX_KEPT_VECTOR_BYTES, MAX_KEPT_VECTOR_SETS } from "../protocol/limits.ts";
import { storedVectors } from "./stored-vectors.ts";

export interface Rows {
  /** The document of each vector. */
  documents: ArrayLike<number>;
  /** One vector after another, each with the length 1. */
  numbers: Float32Array;
}

export interface Wanted {
  name: string;
  /** Vectors of other lengths are left out. */
  dimensions: number;
  isQuantized: boolean;
  /** Reading is not charged to the one search that happens to come first, but takes no longer than its time. */
  work: Work;
}

interface Kept {
  /** An index that was replaced is not held. */
  index: WeakRef<OpenedIndex>;
  key: string;
  name: string;
  isQuantized: boolean;
  /** Documents that were read. */
  read: number;
  /** Vectors of every length: a sender may ask for any, and each would be one more reading of all documents. */
  byLength: Map<number, Growing>;
}

interface Growing {
  documents: number[] | Uint32Array;
  /** May be longer than what is written until all are read. */
  numbers: Float32Array<ArrayBuffer>;
  end: number;
}

/** The ones used last come last. */
let kept: Kept[] = [];

const NO_ROWS: Rows = { documents: [], numbers: new Float32Array() };

/** @throws ApiError `too_many_search_requests` when the request's time is up before all are read */
export function* keptVectors(
  index: OpenedIndex,
  { name, dimensions, isQuantized, work }: Wanted,
): Steps<Rows> {
  const key = JSON.stringify([name, isQuantized]);
  const known = kept.find((one) => one.key === key && one.index.deref() === index);
  const one = known ?? { index: new WeakRef(index), key, name, isQuantized, read: 0, byLength: new Map() };
  keepAsLast(one);
  const count = (index.fieldCounts[VECTORS] ?? 0) > 0 ? index.documentCount : 0;
  const isRead = one.read >= count;
  while (one.read < count) {
    readSome(index, one, count);
    if (one.read >= count) trim(one);
    else if (work.isOver())
      throw tooManySearches("The vectors of the index are still being read. Try again shortly.");
    yield;
  }
  // Only now their bytes are known.
  if (!isRead) keepAsLast(one);
  return one.byLength.get(dimensions) ?? NO_ROWS;
}

function keepAsLast(last: Kept): void {
  const all = kept.filter((one) => !isSame(one, last) && one.index.deref() !== undefined);
  all.push(last);
  let bytes = 0;
  const first = all.findLastIndex((one) => (bytes += bytesOf(one)) > MAX_KEPT_VECTOR_BYTES);
  kept = all.slice(Math.max(first + 1, all.length - MAX_KEPT_VECTOR_SETS));
}

function isSame(one: Kept, other: Kept): boolean {
  return one.key === other.key && one.index.deref() === other.index.deref();
}

function bytesOf({ byLength }: Kept): number {
  let bytes = 0;
  for (const { end } of byLength.values()) bytes += end * Float32Array.BYTES_PER_ELEMENT;
  return bytes;
}

/** Numbers that are read between two yields. */
const STRETCH = 50_000;
/** Finding a document takes as long as reading so many numbers. */
const NUMBERS_OF_DOCUMENT = 50;

const isVectors = (name: string) => name === VECTORS;

function readSome(index: OpenedIndex, one: Kept, count: number): void {
  for (let read = 0; one.read < count && read < STRETCH; read += NUMBERS_OF_DOCUMENT) {
    const vectors = storedVectors(index.readDocument(one.read, isVectors), one.name);
    for (const vector of vectors.get(one.name)?.embeddings ?? []) {
      add(one, vector, count);
      read += vector.length;
    }
    one.read++;
  }
}

const MOST_NUMBERS = MAX_INDEX_VECTOR_BYTES / Float32Array.BYTES_PER_ELEMENT;

function add({ read, isQuantized, byLength }: Kept, vector: Float32Array, count: number): void {
  const { length } = vector;
  let rows = byLength.get(length);
  if (!rows) {
    // Nearly always one vector of a document, and all of one length; what is not written takes no memory.
    const expected = byLength.size === 0 ? Math.min(count * length, MOST_NUMBERS) : length;
    byLength.set(length, (rows = { documents: [], numbers: new Float32Array(expected), end: 0 }));
  }
  const end = rows.end + length;
  if (end > rows.numbers.length) rows.numbers = longer(rows.numbers, end);
  rows.numbers.set(isQuantized ? vector.map(signOf) : vector, rows.end);
  normalize(rows.numbers, rows.end, end);
  (rows.documents as number[]).push(read);
  rows.end = end;
}

function trim({ byLength }: Kept): void {
  for (const rows of byLength.values()) {
    rows.documents = Uint32Array.from(rows.documents);
    if (rows.end < rows.numbers.length) rows.numbers = rows.numbers.slice(0, rows.end);
  }
}

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
