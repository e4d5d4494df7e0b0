/** The vectors of documents as they are written: read from what clients sent, checked against the embedders, counted. */
import { type Json, type SearchDocument, VECTORS } from "#search/index.ts";
import { MAX_INDEX_VECTOR_BYTES } from "../protocol/limits.ts";
import type { Embedder, Embedders } from "../settings/embedders.ts";
import { parseVectors, VectorError } from "../vectors/parse-vectors.ts";
import { storedLengths, storedVectors, storeVectors } from "../vectors/stored-vectors.ts";

/** A copy that has its vectors in the stored form; without any, the document itself. @throws VectorError */
export function withStoredVectors(document: SearchDocument, id: string): SearchDocument {
  if (!Object.hasOwn(document, VECTORS)) return document;
  return { ...document, [VECTORS]: storeVectors(parseVectors(document[VECTORS]!, id)) };
}

/** An update keeps the vectors for embedders that it does not name. */
export function mergeVectors(before: SearchDocument, after: SearchDocument): Json | undefined {
  if (!Object.hasOwn(before, VECTORS) || !Object.hasOwn(after, VECTORS)) return undefined;
  return storeVectors(new Map([...storedVectors(before), ...storedVectors(after)]));
}

/** @throws VectorError for a document that does not fit the embedders */
export function checkVectors(document: SearchDocument, id: string, embedders: Embedders): void {
  for (const [name, embedder] of Object.entries(embedders)) {
    const lengths = storedLengths(document, name);
    if (lengths.length === 0 && embedder.source !== "userProvided") throw noVectors(name, embedder, id);
    const { dimensions } = embedder;
    const wrong = dimensions === undefined ? -1 : lengths.findIndex((length) => length !== dimensions);
    if (wrong < 0) continue;
    throw new VectorError(
      "invalid_vector_dimensions",
      `Invalid vector dimensions in document with id \`${id}\` in \`._vectors.${name}\`.\n` +
        `  - note: embedding #${wrong} has dimensions ${lengths[wrong]}\n  - note: embedder \`${name}\` requires ${dimensions}`,
    );
  }
}

function noVectors(name: string, { source }: Embedder, id: string): VectorError {
  return new VectorError(
    "vector_embedding_error",
    `The document \`${id}\` has no \`_vectors.${name}\`, and this server does not make vectors: it keeps the settings of the source ` +
      `\`${source}\` only for vectors that are sent. Send them with each document, or use the source \`userProvided\`.`,
  );
}

export interface EmbeddedCounts {
  documents: number;
  embeddings: number;
}

/** @throws VectorError when the index would have too many */
export function countVectors(all: Iterable<SearchDocument>, embedders: Embedders): EmbeddedCounts {
  const names = Object.keys(embedders);
  const counts = { documents: 0, embeddings: 0 };
  let bytes = 0;
  for (const document of all) {
    let own = 0;
    for (const name of names) {
      const lengths = storedLengths(document, name);
      own += lengths.length;
      for (const length of lengths) bytes += length * 4;
    }
    counts.embeddings += own;
    if (own > 0) counts.documents += 1;
    if (bytes > MAX_INDEX_VECTOR_BYTES)
      throw new VectorError(
        "too_many_vectors",
        `The vectors of the index would have more than ${MAX_INDEX_VECTOR_BYTES} bytes, the maximum for this server. Use fewer dimensions, or several indexes.`,
      );
  }
  return counts;
}
