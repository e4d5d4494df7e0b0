/**
 * How many entries and bytes a namespace has is the sum of its row and of the changes that were not added to it yet. A
 * transaction that puts or removes entries only appends a change: if all writers of all servers updated the namespace's one
 * row, each would wait for all others, or be undone by them.
 *
 *   put, remove ─► a change ─┐
 *   put, remove ─► a change ─┴─► added up, soon after a write, and before the row is read
 */
import type { Kysely } from "kysely";
import { type Database, inTransaction } from "#platform/database/database.ts";
import { type NamespaceName, namespaceText, newNamespace, readNamespaceText } from "./namespaces.ts";
import type { CacheTables, CacheTransaction } from "./schema.ts";
import type { Tool } from "../contract/tools.ts";

interface Change {
  namespaceId: string;
  /** Creates the row of an overlay that has none yet; absent for removals. */
  name?: NamespaceName;
  entries: number;
  bytes: number;
}

/** Call it in the transaction that changes the entries: it writes one row for each namespace. */
export async function noteChanges(transaction: CacheTransaction, changes: readonly Change[]): Promise<void> {
  const rows = [...Map.groupBy(changes, ({ namespaceId }) => namespaceId)].map(([namespace_id, those]) => {
    const name = those[0]?.name;
    return {
      namespace_id,
      name: name ? namespaceText(name) : null,
      entries: sumOf(those, ({ entries }) => entries),
      size_bytes: sumOf(those, ({ bytes }) => bytes),
    };
  });
  const real = rows.filter(({ entries, size_bytes }) => entries !== 0 || size_bytes !== 0);
  if (real.length > 0) await transaction.insertInto("cache_changes").values(real).execute();
}

/** Adds all changes to the rows of their namespaces. Any server may do so at any time. */
export const addUpChanges = (
  database: Pick<Database<CacheTables>, "db" | "kind">,
  now: number,
): Promise<void> =>
  inTransaction(
    database,
    async (transaction) => {
      const changes = await transaction.deleteFrom("cache_changes").returningAll().execute();
      const groups = Map.groupBy(changes, ({ namespace_id }) => namespace_id);
      for (const id of [...groups.keys()].toSorted()) {
        const those = groups.get(id) ?? [];
        const sums = {
          entries: sumOf(those, ({ entries }) => entries),
          bytes: sumOf(those, ({ size_bytes }) => size_bytes),
        };
        if (await addTo(transaction, id, sums)) continue;
        const name = those.find((change) => change.name !== null)?.name;
        // A change of a namespace that is gone.
        if (name == null) continue;
        await transaction
          .insertInto("cache_namespaces")
          .values(newNamespace(readNamespaceText(name), now))
          // Another server may create it at the same time.
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await addTo(transaction, id, sums);
      }
    },
    "read committed",
  );

/** By tool, for all organizations: the rows and the changes that were not added to them yet. */
export async function readTotals(
  db: Kysely<CacheTables>,
): Promise<{ tool: Tool; entries: number; bytes: number }[]> {
  const waiting = db
    .selectFrom("cache_changes")
    .innerJoin("cache_namespaces", "cache_namespaces.id", "cache_changes.namespace_id")
    .select(["tool", "cache_changes.entries", "cache_changes.size_bytes"]);
  const rows = await db
    .selectFrom(
      db
        .selectFrom("cache_namespaces")
        .select(["tool", "entries", "size_bytes"])
        .unionAll(waiting)
        .as("counted"),
    )
    .select([
      "tool",
      ({ fn }) => fn.sum("entries").as("entries"),
      ({ fn }) => fn.sum("size_bytes").as("bytes"),
    ])
    .groupBy("tool")
    .execute();
  return rows.map(({ tool, entries, bytes }) => ({ tool, entries: Number(entries), bytes: Number(bytes) }));
}

/** @returns false when the row does not exist */
async function addTo(
  transaction: Pick<CacheTransaction, "updateTable">,
  id: string,
  { entries, bytes }: { entries: number; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("cache_namespaces")
    .set((column) => ({
      entries: column("entries", "+", entries),
      size_bytes: column("size_bytes", "+", bytes),
    }))
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const sumOf = <Item>(items: readonly Item[], read: (item: Item) => number) =>
  items.reduce((sum, item) => sum + read(item), 0);
