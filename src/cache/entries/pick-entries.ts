/** Picks the entries that are removed next. */
import { LAST_USE_EXACT_MS, REMOVE_AT_ONCE } from "../contract/limits.ts";
import type { PickEntries, PickedEntry } from "./remove-entries.ts";
import type { CacheTransaction } from "../records/schema.ts";

const select = (transaction: CacheTransaction) =>
  transaction
    .selectFrom("cache_entries")
    .select(["namespace_id", "key", "digest", "size", "written_at", "used_at"])
    .limit(REMOVE_AT_ONCE);

/** Entries whose last use was before that time, the oldest first. */
export const pickUnused =
  (namespaceId: string, before: number): PickEntries =>
  (transaction) =>
    select(transaction)
      .where("namespace_id", "=", namespaceId)
      .where("used_at", "<", before)
      .orderBy("used_at")
      .execute();

/** Entries that were written until that time. */
export const pickWritten =
  (namespaceId: string, until: number): PickEntries =>
  (transaction) =>
    select(transaction).where("namespace_id", "=", namespaceId).where("written_at", "<=", until).execute();

export const pickAll =
  (namespaceId: string): PickEntries =>
  (transaction) =>
    select(transaction).where("namespace_id", "=", namespaceId).execute();

/** Entries that one token or job has written until that time. */
export const pickOfWriter =
  (writerId: string, until: number): PickEntries =>
  (transaction) =>
    select(transaction).where("writer_id", "=", writerId).where("written_at", "<=", until).execute();

interface Group {
  id: string;
  /** The last use of the entry that was used longest ago; null: there is no entry. */
  oldest: number | null;
}

/**
 * The least recently used entries of a namespace and its overlays, as many as are needed to free so many bytes and rows: those
 * of the namespace that has the oldest entry, as long as no other namespace has an older one.
 */
export function pickOldest(
  namespaces: readonly Group[],
  surplus: { bytes: number; entries: number },
): PickEntries {
  const [first, second] = namespaces
    .flatMap(({ id, oldest }) => (oldest === null ? [] : [{ id, oldest }]))
    .toSorted((one, other) => one.oldest - other.oldest);
  return async (transaction) => {
    if (!first) return [];
    // A last use is not more exact than this, and overlays whose entries alternate must not cost a query each.
    const until = second && Math.max(second.oldest, first.oldest + LAST_USE_EXACT_MS);
    let query = select(transaction).where("namespace_id", "=", first.id);
    if (until !== undefined) query = query.where("used_at", "<=", until);
    return takeUntilFreed(await query.orderBy("used_at").orderBy("key").execute(), surplus);
  };
}

function takeUntilFreed(
  rows: readonly PickedEntry[],
  surplus: { bytes: number; entries: number },
): readonly PickedEntry[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => {
    bytes += size;
    return bytes >= surplus.bytes && index + 1 >= surplus.entries;
  });
  return end === -1 ? rows : rows.slice(0, end + 1);
}
