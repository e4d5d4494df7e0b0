import type { DatabaseKind } from "#platform/database/columns.ts";
import type { CacheTransaction } from "./schema.ts";

interface Named {
  namespaceId: string;
  key: string;
}

export const nameOf = ({ namespaceId, key }: Named): string => namespaceId + key;

/** The order in which all transactions lock them. */
export const inOrder = <Entry extends Named>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));

export interface LockedEntry {
  namespace_id: string;
  key: string;
  digest: string;
  size: number;
  written_at: number;
  used_at: number;
}

/**
 * No other transaction changes or removes them until this one ends.
 * @param names in order
 * @returns those that exist, in their current state
 */
export async function lockEntries(
  transaction: CacheTransaction,
  kind: DatabaseKind,
  names: readonly Named[],
): Promise<LockedEntry[]> {
  const locked: LockedEntry[] = [];
  for (const [namespaceId, those] of Map.groupBy(names, (entry) => entry.namespaceId)) {
    const query = transaction
      .selectFrom("cache_entries")
      .select(["namespace_id", "key", "digest", "size", "written_at", "used_at"])
      .where("namespace_id", "=", namespaceId)
      .where(
        "key",
        "in",
        those.map(({ key }) => key),
      )
      .orderBy("key");
    // SQLite has one writer, and no syntax for a lock.
    locked.push(...(await (kind === "postgres" ? query.forUpdate() : query).execute()));
  }
  return locked;
}
