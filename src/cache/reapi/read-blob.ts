import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import type { Cache, FoundEntry } from "../cache.ts";

export interface ReadOptions {
  maxBytes: number;
  /** Compressed where it is kept so. */
  isAsKept?: boolean;
}

/** Whole. @returns null when it is larger, damaged or gone */
export async function readBlob(
  cache: Cache,
  { blob }: FoundEntry,
  { maxBytes, isAsKept = blob.encoding === "identity" }: ReadOptions,
): Promise<Uint8Array | null> {
  if (blob.size > maxBytes) return null;
  if (blob.content && isAsKept) return blob.content;
  try {
    const reader = await cache.blobs.open(blob);
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of isAsKept ? reader.encodedBytes() : reader.bytes()) chunks.push(chunk);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/** Whether bytes that should be there are not, or are not what they were. */
export const isLost = (error: unknown) =>
  error instanceof DamagedBlobError || error instanceof MissingBytesError;
