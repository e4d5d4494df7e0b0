import type { Blobs } from "./blobs.ts";
import { MissingBytesError } from "./byte-store.ts";
import { encodeZstd } from "./encode-zstd.ts";
import { DamagedBlobError } from "./open-blob.ts";
import type { Blob, BlobEncoding } from "./schema.ts";

export interface ReadOptions {
  maxBytes: number;
  /** Encoding of the answer. Default: none, as before any compression. */
  encoding?: BlobEncoding;
}

/** Reads all bytes. @returns null when it is too large, damaged or gone */
export async function readBlob(
  blobs: Pick<Blobs, "open">,
  blob: Blob,
  { maxBytes, encoding = "identity" }: ReadOptions,
): Promise<Uint8Array | null> {
  if (blob.size > maxBytes) return null;
  const isAsKept = blob.encoding === encoding;
  if (blob.content && isAsKept) return blob.content;
  try {
    const reader = await blobs.open(blob);
    try {
      const chunks: Uint8Array[] = [];
      const bytes = isAsKept
        ? reader.encodedBytes()
        : encoding === "zstd"
          ? encodeZstd(reader.bytes())
          : reader.bytes();
      for await (const chunk of bytes) chunks.push(chunk);
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/** Whether expected bytes are missing or damaged. */
export const isLost = (error: unknown): boolean =>
  error instanceof DamagedBlobError || error instanceof MissingBytesError;
