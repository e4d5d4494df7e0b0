/** The hourly work, namespace by namespace. */
import { inTransaction } from "#platform/database/database.ts";
import { addUpChanges } from "../records/changes.ts";
import { COUNTED_HOURS, EMPTY_OVERLAY_MS, FIND_AT_ONCE } from "../contract/limits.ts";
import { forgetMisses } from "../misses/trim.ts";
import { pickAll, pickUnused, pickWritten } from "../entries/pick-entries.ts";
import { shrink } from "./quota.ts";
import type { Removal } from "../entries/remove-entries.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { forgetAccesses } from "../simulate/access-log.ts";
import { HOUR_MS } from "../figures/uses.ts";

export interface SweepOptions {
  database: CacheDatabase;
  removal: Removal;
  clock: () => number;
  quotaBytes: number;
  retentionMs: number;
}

/** @param signal ends it between two transactions */
export async function sweepAll(options: SweepOptions, signal: AbortSignal): Promise<void> {
  // Creates rows of overlays.
  await addUpChanges(options.database, options.clock());
  let after = "";
  while (!signal.aborted) {
    const namespaces = await readNamespaces(options.database, after);
    for (const namespace of namespaces) await sweepNamespace(options, namespace, signal);
    const last = namespaces.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (!signal.aborted) await removeLeftovers(options);
}

type NamespaceRow = Awaited<ReturnType<typeof readNamespaces>>[number];

const readNamespaces = ({ db }: CacheDatabase, after: string) =>
  db
    .selectFrom("cache_namespaces")
    .leftJoin("organizations", "organizations.id", "cache_namespaces.organization_id")
    .select([
      "cache_namespaces.id",
      "organization_id",
      "tool",
      "overlay",
      "reset_before",
      "organizations.id as organization",
    ])
    .where("cache_namespaces.id", ">", after)
    .orderBy("cache_namespaces.id")
    .limit(FIND_AT_ONCE)
    .execute();

async function sweepNamespace(
  options: SweepOptions,
  { id, organization_id: organizationId, tool, overlay, reset_before, organization }: NamespaceRow,
  signal: AbortSignal,
): Promise<void> {
  const { removal, database, clock, retentionMs } = options;
  if (organization === null) {
    await removal.all(pickAll(id), "reset", signal);
    await removeEmpty(database, id, clock());
    await database.db.deleteFrom("cache_counts").where("namespace_id", "=", id).execute();
    await forgetMisses(database, id);
    await forgetAccesses(database, id);
    return;
  }
  if (reset_before !== null) await finishReset(options, { id, until: reset_before }, signal);
  await removal.all(pickUnused(id, clock() - retentionMs), "unused", signal);
  if (overlay === "") await shrink(options, { organizationId, tool }, signal);
  else await removeEmpty(database, id, clock() - EMPTY_OVERLAY_MS);
}

/** Removes entries written until that time, and marks the reset as done. @returns bytes */
export async function finishReset(
  { database, removal }: Pick<SweepOptions, "database" | "removal">,
  { id, until }: { id: string; until: number },
  signal?: AbortSignal,
): Promise<number> {
  const { bytes } = await removal.all(pickWritten(id, until), "reset", signal);
  // A transaction, because it is retried when PostgreSQL ends one of two that wait for each other.
  if (!signal?.aborted)
    await inTransaction(database, (transaction) =>
      transaction
        .updateTable("cache_namespaces")
        .set({ reset_before: null })
        .where("id", "=", id)
        .where("reset_before", "<=", until)
        .execute(),
    );
  return bytes;
}

const removeEmpty = (database: CacheDatabase, id: string, createdUntil: number) =>
  inTransaction(database, (transaction) =>
    transaction
      .deleteFrom("cache_namespaces")
      .where("id", "=", id)
      .where("entries", "=", 0)
      .where("created_at", "<=", createdUntil)
      .execute(),
  );

/** Removes counts that are too old to be queried, and writers without entries. */
async function removeLeftovers({ database: { db }, clock, retentionMs }: SweepOptions): Promise<void> {
  const now = clock();
  await db
    .deleteFrom("cache_counts")
    .where("hour", "<", Math.floor(now / HOUR_MS) - COUNTED_HOURS)
    .execute();
  for (let removed = FIND_AT_ONCE; removed > 0;) {
    const idle = db
      .selectFrom("cache_writers")
      .select("id")
      // A process that remembers a writer marks it again before this has passed.
      .where("last_at", "<", now - Math.max(retentionMs, 24 * HOUR_MS))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("cache_entries").select("key").whereRef("writer_id", "=", "cache_writers.id").limit(1),
          ),
        ),
      )
      .limit(FIND_AT_ONCE);
    const { numDeletedRows } = await db
      .deleteFrom("cache_writers")
      .where("id", "in", idle)
      .executeTakeFirst();
    removed = Number(numDeletedRows);
  }
}
