/**
 * Removes entries in portions, each in a transaction of its own with the references of their blobs:
 *
 *   pick ─► at most 500 rows ─► deleted, counted off their namespaces, blobs dropped ─► forgotten by this process
 */
import type { Blobs } from "#platform/blobs/blobs.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { Removed } from "./cache.ts";
import type { RemovalReason } from "./misses/schema.ts";
import type { Remembered } from "./remembered.ts";
import type { CacheDatabase, CacheTransaction } from "./schema.ts";

export interface PickedEntry {
  namespace_id: string;
  key: string;
  digest: string;
  size: number;
}

/** At most `REMOVE_AT_ONCE`; runs in the transaction that removes them. */
export type PickEntries = (transaction: CacheTransaction) => Promise<readonly PickedEntry[]>;

export interface Removal {
  /** One portion. Nothing was picked: `entries` is 0. */
  portion(pick: PickEntries, because: RemovalReason): Promise<Removed>;
  /** Portions until nothing is picked. @param signal ends it between two of them */
  all(pick: PickEntries, because: RemovalReason, signal?: AbortSignal): Promise<Removed>;
}

interface RemovalOptions {
  /** For who asks later why it missed. */
  onRemoved: (entries: readonly PickedEntry[], because: RemovalReason) => void;
  database: CacheDatabase;
  blobs: Blobs;
  remembered: Remembered;
}

const NOTHING: Removed = { entries: 0, bytes: 0 };

export function createRemoval({ database, blobs, remembered, onRemoved }: RemovalOptions): Removal {
  async function portion(pick: PickEntries, because: RemovalReason): Promise<Removed> {
    const picked = await inTransaction(database, async (transaction) => {
      const entries = await pick(transaction);
      if (entries.length > 0) await removeEntries(transaction, blobs, entries);
      return entries;
    });
    for (const { namespace_id, key } of picked) remembered.forget(namespace_id, key);
    onRemoved(picked, because);
    return { entries: picked.length, bytes: sumOf(picked) };
  }
  return {
    portion,
    async all(pick, because, signal) {
      const sum = { entries: 0, bytes: 0 };
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- so that writers get their turn
        const { entries, bytes } = signal?.aborted ? NOTHING : await portion(pick, because);
        if (entries === 0) break;
        sum.entries += entries;
        sum.bytes += bytes;
      }
      return sum;
    },
  };
}

async function removeEntries(
  transaction: CacheTransaction,
  blobs: Blobs,
  entries: readonly PickedEntry[],
): Promise<void> {
  const digests = new Map<string, number>();
  for (const { digest } of entries) digests.set(digest, (digests.get(digest) ?? 0) + 1);
  for (const [namespaceId, removed] of Map.groupBy(entries, (entry) => entry.namespace_id)) {
    // oxlint-disable-next-line no-await-in-loop -- on one connection
    await transaction
      .deleteFrom("cache_entries")
      .where("namespace_id", "=", namespaceId)
      .where(
        "key",
        "in",
        removed.map(({ key }) => key),
      )
      .execute();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await transaction
      .updateTable("cache_namespaces")
      .set((column) => ({
        entries: column("entries", "-", removed.length),
        size_bytes: column("size_bytes", "-", sumOf(removed)),
      }))
      .where("id", "=", namespaceId)
      .execute();
  }
  await blobs.drop(transaction, digests);
}

const sumOf = (entries: readonly PickedEntry[]) => entries.reduce((sum, { size }) => sum + size, 0);
