import { Refused } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { createWriteBatch } from "#platform/database/write-batch.ts";
import type { Cache, Grant } from "../contract/cache.ts";
import { MAX_ENTRY_BYTES, MAX_META_LENGTH, SHRINK_TO } from "../contract/limits.ts";
import type { Misses } from "../misses/misses.ts";
import { trustedOf } from "../access/grant.ts";
import type { Remembered } from "./remembered.ts";
import type { CacheDatabase, CacheTransaction } from "../records/schema.ts";
import type { AccessLog } from "../simulate/access-log.ts";
import type { Uses } from "../figures/uses.ts";
import { type NewEntry, writeEntries } from "./write-entries.ts";
import { createWriters } from "./writers.ts";

export interface WritingOptions {
  database: CacheDatabase;
  blobs: Blobs;
  clock: () => number;
  uses: Uses;
  remembered: Remembered;
  misses: Misses;
  accesses: AccessLog;
  quotaBytes: number;
  /** Called after an entry was written. */
  onWritten: (grant: Grant) => void;
}

/** Receives and puts entries. */
export function createWriting(options: WritingOptions): Pick<Cache, "receive" | "put"> {
  const { database, blobs, clock, uses, remembered, misses, accesses, quotaBytes, onWritten } = options;
  const { kind } = database;
  const write = createWriteBatch(database, (transaction: CacheTransaction, entries: readonly NewEntry[]) =>
    writeEntries(transaction, { kind, blobs }, entries),
  );
  const writerOf = createWriters(database, clock);
  // The newest entry is never above what a namespace shrinks to.
  const maxBytes = Math.min(MAX_ENTRY_BYTES, Math.floor(quotaBytes * SHRINK_TO));
  return {
    receive(_grant, { size, encoding = "identity", onEnd = () => {} } = {}) {
      if (size !== undefined && size > maxBytes)
        throw new UploadError(
          "too large",
          `an entry can have at most ${maxBytes} bytes, this one has ${size}`,
        );
      return blobs.receive({ maxBytes, size, encoding, onEnd });
    },
    async put(grant, key, received, meta = "") {
      const { writes: namespaceId, actor, organizationId, tool, overlay } = grant;
      const name = { organizationId, tool, overlay };
      try {
        if (namespaceId === null)
          throw new Refused("permission_denied", "this token may only read from the cache");
        if (meta.length > MAX_META_LENGTH)
          throw new UploadError(
            "too large",
            `the metadata of an entry can have at most ${MAX_META_LENGTH} characters`,
          );
        const writerId = await writerOf(actor);
        await write({ name, namespaceId, key, meta, writerId, now: clock(), received });
        remembered.forget(namespaceId, key);
      } catch (error) {
        await blobs.settle(received);
        throw error;
      }
      // Not awaited: the time must not reveal that others had it already. The collector finds files that cannot be removed.
      void blobs.settle(received).catch(() => {});
      uses.count(trustedOf(grant), { writtenBytes: received.size });
      accesses.add(trustedOf(grant), key, { kind: "use", bytes: received.size });
      misses.written(grant, key);
      onWritten(grant);
    },
  };
}
