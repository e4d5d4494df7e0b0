import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { findEntry } from "../records/entries.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { MAX_COMPARED_BYTES } from "./limits.ts";
import { readTask, type Task } from "./read-task.ts";

export interface EntryReading {
  /** All its bytes; null when it is missing, or too large. */
  read: (namespaceId: string, key: string) => Promise<Uint8Array | null>;
  /** Null when it is missing, or does not name its task. */
  readTask: (namespaceId: string, key: string) => Promise<Task | null>;
}

/** Reads stored entries for explanations: a damaged entry explains nothing. */
export function createEntryReading(options: { database: CacheDatabase; blobs: Blobs }): EntryReading {
  const { database, blobs } = options;
  type Use<Result> = (stored: {
    size: number;
    meta: string;
    bytes: AsyncIterable<Uint8Array>;
  }) => Promise<Result>;
  async function use<Result>(namespaceId: string, key: string, read: Use<Result>): Promise<Result | null> {
    const entry = await findEntry(database, namespaceId, key);
    if (!entry) return null;
    try {
      const reader = await blobs.open(entry.blob);
      try {
        return await read({ size: reader.size, meta: entry.meta, bytes: reader.bytes() });
      } finally {
        await reader.close();
      }
    } catch (error) {
      if (error instanceof DamagedBlobError || error instanceof MissingBytesError) return null;
      throw error;
    }
  }
  return {
    read: (namespaceId, key) =>
      use(namespaceId, key, async ({ size, bytes }) => {
        if (size > MAX_COMPARED_BYTES) return null;
        const chunks: Uint8Array[] = [];
        for await (const chunk of bytes) chunks.push(chunk);
        return Buffer.concat(chunks);
      }),
    readTask: (namespaceId, key) => use(namespaceId, key, (stored) => readTask(key, stored)),
  };
}
