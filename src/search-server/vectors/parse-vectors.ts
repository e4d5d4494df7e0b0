/** `_vectors` of a document as clients send it: by embedder, one vector, several, or an object with them. */
import type { Json } from "#search/index.ts";
import {
  MAX_DOCUMENT_VECTORS,
  MAX_EMBEDDERS,
  MAX_NAME_LENGTH,
  MAX_VECTOR_LENGTH,
} from "../protocol/limits.ts";
import type { DocumentVectors, VectorsByEmbedder } from "./stored-vectors.ts";

/** A document's vectors are wrong; the task fails with it. */
export class VectorError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws VectorError */
export function parseVectors(value: Json, id: string): VectorsByEmbedder {
  const wrong = (problem: string) =>
    new VectorError("invalid_vectors_type", `The \`_vectors\` of the document \`${id}\` ${problem}.`);
  if (value === null) return new Map();
  if (typeof value !== "object" || Array.isArray(value))
    throw wrong("are not an object with a key for each embedder");
  const entries = Object.entries(value);
  if (entries.length > MAX_EMBEDDERS)
    throw wrong(`name ${entries.length} embedders; this server accepts at most ${MAX_EMBEDDERS}`);
  return new Map(
    entries.map(([embedder, given]) => {
      if (embedder.length > MAX_NAME_LENGTH) throw wrong(`name an embedder of ${embedder.length} characters`);
      return [embedder, parseOne(given, (problem) => wrong(`for \`${embedder}\` ${problem}`))];
    }),
  );
}

type Wrong = (problem: string) => VectorError;

function parseOne(given: Json, wrong: Wrong): DocumentVectors {
  if (given === null || Array.isArray(given))
    return { embeddings: parseList(given, wrong), regenerate: false };
  if (typeof given !== "object") throw wrong("are not an array, an object or null");
  const unknown = Object.keys(given).find((name) => name !== "embeddings" && name !== "regenerate");
  if (unknown !== undefined)
    throw wrong(
      `have the unknown field \`${unknown.slice(0, 100)}\`: expected \`embeddings\`, \`regenerate\``,
    );
  const { embeddings = null, regenerate = false } = given;
  if (typeof regenerate !== "boolean") throw wrong("have a `regenerate` that is not a boolean");
  return { embeddings: parseList(embeddings, wrong), regenerate };
}

function parseList(given: Json, wrong: Wrong): Float32Array[] {
  if (given === null) return [];
  if (!Array.isArray(given)) throw wrong("are not an array");
  const many: Json[] = given.length > 0 && typeof given[0] === "number" ? [given] : given;
  if (many.length > MAX_DOCUMENT_VECTORS)
    throw wrong(`are ${many.length} vectors; this server accepts at most ${MAX_DOCUMENT_VECTORS}`);
  return many.map((one) => parseVector(one, wrong));
}

function parseVector(given: Json, wrong: Wrong): Float32Array {
  if (!Array.isArray(given) || given.length === 0)
    throw wrong("have a vector that is not an array of numbers");
  if (given.length > MAX_VECTOR_LENGTH)
    throw wrong(`have a vector of ${given.length} numbers; this server accepts at most ${MAX_VECTOR_LENGTH}`);
  const vector = new Float32Array(given.length);
  given.forEach((number, at) => {
    if (typeof number !== "number") throw wrong("have a vector with something that is not a number");
    vector[at] = number;
    if (!Number.isFinite(vector[at]))
      throw wrong(`have a vector with the number ${number}, which is too large`);
  });
  return vector;
}
