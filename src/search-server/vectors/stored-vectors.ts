/**
 * Vectors as a document stores them: each as the hexadecimal digits of its numbers, four bytes each, little end first, in runs that
 * an index file packs into half as many bytes (`text-codec.ts`). Only this file knows the form.
 */
import type { Json, SearchDocument } from "#search/index.ts";
import { VECTORS } from "#search/index.ts";

export interface DocumentVectors {
  embeddings: Float32Array[];
  /** As the client sent it; nothing here makes vectors. */
  regenerate: boolean;
}

/** Embedder → a document's vectors for it. */
export type VectorsByEmbedder = Map<string, DocumentVectors>;

export function storeVectors(vectors: VectorsByEmbedder): { [embedder: string]: Json } {
  return Object.fromEntries(
    Array.from(vectors, ([embedder, { embeddings, regenerate }]) => [
      embedder,
      { stored: embeddings.map(encode), regenerate },
    ]),
  );
}

/**
 * Empty for a document without vectors, or with an attribute of the same name from an older version.
 * @param only the embedder that is wanted; absent: all
 */
export function storedVectors(document: SearchDocument, only?: string): VectorsByEmbedder {
  const value = Object.hasOwn(document, VECTORS) ? document[VECTORS] : null;
  const vectors: VectorsByEmbedder = new Map();
  if (!isObject(value)) return vectors;
  for (const [embedder, kept] of Object.entries(value)) {
    if (only !== undefined && embedder !== only) continue;
    if (!isObject(kept) || !Array.isArray(kept["stored"])) continue;
    const texts = kept["stored"].filter((text) => typeof text === "string");
    vectors.set(embedder, { embeddings: texts.map(decode), regenerate: kept["regenerate"] === true });
  }
  return vectors;
}

/** How many numbers each of a document's vectors for an embedder has, without reading them. */
export function storedLengths(document: SearchDocument, embedder: string): number[] {
  const value = Object.hasOwn(document, VECTORS) ? document[VECTORS] : null;
  const kept = isObject(value) && Object.hasOwn(value, embedder) ? value[embedder] : null;
  const texts = isObject(kept) && Array.isArray(kept["stored"]) ? kept["stored"] : [];
  return texts.map((text) => numbersIn(String(text)));
}

function isObject(value: Json | null | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const DIGITS_OF_NUMBER = 8;

/** Digits between two separators: what the index file packs into one run, which has at most 255 bytes. */
const RUN_DIGITS = 63 * DIGITS_OF_NUMBER;
const SEPARATOR = ".";

const DIGITS = new TextEncoder().encode("0123456789abcdef");

/** Without Node's `Buffer`: searches also run in a browser. */
function encode(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((number, at) => view.setFloat32(at * 4, number, true));
  const digits = new Uint8Array(view.byteLength * 2);
  for (let at = 0; at < view.byteLength; at++) {
    const byte = view.getUint8(at);
    digits[at * 2] = DIGITS[byte >> 4]!;
    digits[at * 2 + 1] = DIGITS[byte & 15]!;
  }
  const runs: string[] = [];
  for (let at = 0; at < digits.length; at += RUN_DIGITS)
    runs.push(String.fromCharCode(...digits.subarray(at, at + RUN_DIGITS)));
  return runs.join(SEPARATOR);
}

function decode(text: string): Float32Array {
  const vector = new Float32Array(numbersIn(text));
  const view = new DataView(vector.buffer);
  let end = 0;
  for (let at = 0; at + 1 < text.length && end < view.byteLength; at += 2) {
    if (text[at] === SEPARATOR) at++;
    view.setUint8(end++, (digitAt(text, at) << 4) | digitAt(text, at + 1));
  }
  for (let at = 0; at < vector.length; at++) vector[at] = view.getFloat32(at * 4, true);
  return vector;
}

function numbersIn(text: string): number {
  return Math.floor((text.length - Math.floor(text.length / (RUN_DIGITS + 1))) / DIGITS_OF_NUMBER);
}

/** `0` to `9` are 0x30 and following, `a` to `f` 0x61 and following. */
function digitAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (unit & 15) + (unit > 0x40 ? 9 : 0);
}

/** The shortest number that has the same four bytes: 0.1, not 0.10000000149011612. */
export function shortest(number: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return short;
  }
  return number;
}
