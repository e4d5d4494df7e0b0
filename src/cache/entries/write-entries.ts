/**
 * Puts entries that arrive at the same time, in few statements. Rows that several transactions touch are locked in one order,
 * entries, then blobs, each by their names: writers of all servers wait for each other, and never in a circle.
 */
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { sql } from "kysely";
import { noteChanges } from "../records/changes.ts";
import { inOrder, lockEntries, nameOf } from "../records/lock-entries.ts";
import type { NamespaceName } from "../records/namespaces.ts";
import type { CacheTransaction } from "../records/schema.ts";

export interface NewEntry {
  name: NamespaceName;
  namespaceId: string;
  key: string;
  meta: string;
  writerId: string;
  now: number;
  received: ReceivedBlob;
}

interface FormerEntry {
  digest: string;
  size: number;
}

/** Runs in a transaction "read committed", maybe more than once. The last of several entries with one name stays. */
export async function writeEntries(
  transaction: CacheTransaction,
  { kind, blobs }: { kind: DatabaseKind; blobs: Blobs },
  all: readonly NewEntry[],
): Promise<void> {
  const entries = inOrder([...new Map(all.map((entry) => [nameOf(entry), entry])).values()]);
  const formers = await putRows(transaction, kind, entries);
  const dropped = new Map<string, number>();
  for (const { digest } of formers.values()) dropped.set(digest, (dropped.get(digest) ?? 0) + 1);
  await blobs.exchange(transaction, { kept: entries.map(({ received }) => received), dropped });
  await noteChanges(
    transaction,
    entries.map((entry) => {
      const { name, namespaceId, received } = entry;
      const former = formers.get(nameOf(entry));
      const [added, bytes] = [former ? 0 : 1, received.size - (former?.size ?? 0)];
      return { namespaceId, name, entries: added, bytes };
    }),
  );
}

/** @param entries in order @returns the former entries, by name */
async function putRows(
  transaction: CacheTransaction,
  kind: DatabaseKind,
  entries: readonly NewEntry[],
): Promise<Map<string, FormerEntry>> {
  const formers = new Map<string, FormerEntry>();
  for (let left = entries; left.length > 0;) {
    const added = await addRows(transaction, left);
    const there = left.filter((entry) => !added.has(nameOf(entry)));
    const locked = await lockEntries(transaction, kind, there);
    for (const row of locked) formers.set(nameOf({ namespaceId: row.namespace_id, key: row.key }), row);
    const isLocked = (entry: NewEntry) => formers.has(nameOf(entry));
    await replaceRows(transaction, there.filter(isLocked));
    left = there.filter((entry) => !isLocked(entry));
  }
  return formers;
}

/** @returns names of the entries that did not exist */
async function addRows(transaction: CacheTransaction, entries: readonly NewEntry[]): Promise<Set<string>> {
  const added = await transaction
    .insertInto("cache_entries")
    .values(entries.map(rowOf))
    .onConflict((conflict) => conflict.columns(["namespace_id", "key"]).doNothing())
    .returning(["namespace_id as namespaceId", "key"])
    .execute();
  return new Set(added.map(nameOf));
}

/** Replaces entries whose rows are locked. */
async function replaceRows(transaction: CacheTransaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = ["digest", "size", "meta", "writer_id", "written_at", "used_at"] as const;
  const values = Object.fromEntries(columns.map((column) => [column, sql`excluded.${sql.ref(column)}`]));
  await transaction
    .insertInto("cache_entries")
    .values(entries.map(rowOf))
    .onConflict((conflict) => conflict.columns(["namespace_id", "key"]).doUpdateSet(values))
    .execute();
}

function rowOf({ namespaceId, key, meta, writerId, now, received: { digest, size } }: NewEntry) {
  const times = { written_at: now, used_at: now };
  return { namespace_id: namespaceId, key, digest, size, meta, writer_id: writerId, ...times };
}
