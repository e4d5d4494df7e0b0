/**
 * Vectors as a document stores them: each as the base64 of its numbers, four bytes each, because JSON of the same numbers is five
 * times as long. Only this file knows the form.
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

/** Empty for a document without vectors, or with an attribute of the same name from an older version. */
export function storedVectors(document: SearchDocument): VectorsByEmbedder {
  const value = Object.hasOwn(document, VECTORS) ? document[VECTORS] : null;
  const vectors: VectorsByEmbedder = new Map();
  if (!isObject(value)) return vectors;
  for (const [embedder, kept] of Object.entries(value)) {
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
  return texts.map((text) => bytesIn(String(text)) / 4);
}

function isObject(value: Json | null | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bytesIn(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** Without Node's `Buffer`: searches also run in a browser. */
function encode(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((number, at) => view.setFloat32(at * 4, number, true));
  let binary = "";
  for (let at = 0; at < view.byteLength; at++) binary += String.fromCharCode(view.getUint8(at));
  return btoa(binary);
}

function decode(base64: string): Float32Array {
  const binary = atob(base64);
  const view = new DataView(new ArrayBuffer(binary.length));
  for (let at = 0; at < binary.length; at++) view.setUint8(at, binary.charCodeAt(at));
  return Float32Array.from({ length: binary.length >> 2 }, (_, at) => view.getFloat32(at * 4, true));
}

/** The shortest number that has the same four bytes: 0.1, not 0.10000000149011612. */
export function shortest(number: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return short;
  }
  return number;
}
