import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import type { Cache, FoundEntry } from "../cache.ts";

/** Whole, decoded. @returns null when it is larger, damaged or gone */
export async function readBlob(cache: Cache, { blob }: FoundEntry, maxBytes: number): Promise<Buffer | null> {
  if (blob.size > maxBytes) return null;
  const { content } = blob;
  if (content && blob.encoding === "identity")
    return Buffer.from(content.buffer, content.byteOffset, content.length);
  try {
    const reader = await cache.blobs.open(blob);
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of reader.bytes()) chunks.push(chunk);
      return Buffer.concat(chunks);
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
