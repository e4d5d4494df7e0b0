/**
 * The vectors of an index in memory, as numbers in a row. They are read from the documents at the first search that compares them,
 * and only as many as `MAX_KEPT_VECTOR_BYTES` are kept.
 */
import { type OpenedIndex, type Steps, VECTORS, type Work, WorkOf } from "#search/index.ts";
import { MAX_KEPT_VECTOR_BYTES } from "../protocol/limits.ts";
import { storedLengths, storedVectors } from "./stored-vectors.ts";

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
  work: Work;
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

/** Documents that are read between two yields. */
const STRETCH = 50;

const isVectors = (name: string) => name === VECTORS;

function* readRows(index: OpenedIndex, { name, dimensions, isQuantized, work }: Wanted): Steps<Rows> {
  if (!(index.fieldCounts[VECTORS]! > 0))
    return { documents: new Uint32Array(0), numbers: new Float32Array(0) };
  const documents: number[] = [];
  // First the places, so that the numbers take their memory once.
  for (let id = 0; id < index.documentCount; id++) {
    for (const length of storedLengths(index.readDocument(id, isVectors), name))
      if (length === dimensions) documents.push(id);
    if (id % STRETCH === STRETCH - 1) yield;
  }
  const numbers = new Float32Array(documents.length * dimensions);
  let row = 0;
  for (let id = 0; id < index.documentCount; id++) {
    if (documents[row] === id)
      for (const vector of storedVectors(index.readDocument(id, isVectors)).get(name)?.embeddings ?? [])
        if (vector.length === dimensions)
          numbers.set(isQuantized ? vector.map(signOf) : vector, row++ * dimensions);
    work.add(WorkOf.document);
    if (id % STRETCH === STRETCH - 1) yield;
  }
  for (let at = 0; at < numbers.length; at += dimensions) normalize(numbers, at, at + dimensions);
  return { documents: Uint32Array.from(documents), numbers };
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
