/**
 * Removes entries in portions, each in a transaction of its own with the references of their blobs:
 *
 *   pick ─► at most 500 rows ─► locked ─► deleted, counted off their namespaces, blobs dropped ─► forgotten by this process
 *                                  └ entries that were put or used again meanwhile stay
 */
import type { Blobs } from "#platform/blobs/blobs.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { Removed } from "../contract/cache.ts";
import { addUpChanges, noteChanges } from "../records/changes.ts";
import { inOrder, type LockedEntry, lockEntries, nameOf } from "../records/lock-entries.ts";
import type { RemovalReason } from "../contract/misses.ts";
import type { Remembered } from "./remembered.ts";
import type { CacheDatabase, CacheTransaction } from "../records/schema.ts";

export type PickedEntry = LockedEntry;

/** At most `REMOVE_AT_ONCE`; runs in the transaction that removes them. */
export type PickEntries = (transaction: CacheTransaction) => Promise<readonly PickedEntry[]>;

export interface Removal {
  /** Removes one portion. @returns null: nothing was picked */
  portion(pick: PickEntries, because: RemovalReason): Promise<Removed | null>;
  /** Removes portions until nothing is picked, then updates the rows of their namespaces. @param signal ends it between two portions */
  all(pick: PickEntries, because: RemovalReason, signal?: AbortSignal): Promise<Removed>;
}

interface RemovalOptions {
  /** Records the reason, to explain a later miss. */
  onRemoved: (entries: readonly PickedEntry[], because: RemovalReason) => void;
  database: CacheDatabase;
  blobs: Blobs;
  remembered: Remembered;
  clock: () => number;
}

export function createRemoval(options: RemovalOptions): Removal {
  const { database, blobs, remembered, onRemoved, clock } = options;
  async function portion(pick: PickEntries, because: RemovalReason): Promise<Removed | null> {
    const removed = await inTransaction(
      database,
      async (transaction) => {
        const picked = await pick(transaction);
        if (picked.length === 0) return null;
        const entries = await lockUnchanged(transaction, database.kind, picked);
        if (entries.length > 0) await removeEntries(transaction, blobs, entries);
        return entries;
      },
      "read committed",
    );
    if (!removed) return null;
    for (const { namespace_id, key } of removed) remembered.forget(namespace_id, key);
    onRemoved(removed, because);
    return { entries: removed.length, bytes: sumOf(removed) };
  }
  return {
    portion,
    async all(pick, because, signal) {
      const sum = { entries: 0, bytes: 0 };
      for (;;) {
        const removed = signal?.aborted ? null : await portion(pick, because);
        if (!removed) break;
        sum.entries += removed.entries;
        sum.bytes += removed.bytes;
      }
      if (sum.entries > 0) await addUpChanges(database, clock());
      return sum;
    },
  };
}

/** @returns the entries that are unchanged since they were picked */
async function lockUnchanged(
  transaction: CacheTransaction,
  kind: CacheDatabase["kind"],
  picked: readonly PickedEntry[],
): Promise<LockedEntry[]> {
  const named = picked.map((entry) => ({ namespaceId: entry.namespace_id, key: entry.key, entry }));
  const before = new Map(named.map((each) => [nameOf(each), each.entry]));
  const locked = await lockEntries(transaction, kind, inOrder(named));
  return locked.filter(({ namespace_id: namespaceId, key, digest, written_at, used_at }) => {
    const was = before.get(nameOf({ namespaceId, key }));
    return was?.digest === digest && was.written_at === written_at && was.used_at === used_at;
  });
}

async function removeEntries(
  transaction: CacheTransaction,
  blobs: Blobs,
  entries: readonly PickedEntry[],
): Promise<void> {
  const digests = new Map<string, number>();
  for (const { digest } of entries) digests.set(digest, (digests.get(digest) ?? 0) + 1);
  for (const [namespaceId, removed] of Map.groupBy(entries, (entry) => entry.namespace_id)) {
    await transaction
      .deleteFrom("cache_entries")
      .where("namespace_id", "=", namespaceId)
      .where(
        "key",
        "in",
        removed.map(({ key }) => key),
      )
      .execute();
  }
  await blobs.drop(transaction, digests);
  await noteChanges(
    transaction,
    entries.map(({ namespace_id, size }) => ({ namespaceId: namespace_id, entries: -1, bytes: -size })),
  );
}

const sumOf = (entries: readonly PickedEntry[]) => entries.reduce((sum, { size }) => sum + size, 0);
