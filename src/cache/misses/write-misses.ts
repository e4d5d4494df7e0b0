import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import type { MissNote } from "../contract/cache.ts";
import { FIND_AT_ONCE } from "../contract/limits.ts";
import { inOrder } from "../records/lock-entries.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { chunksOf } from "../figures/uses.ts";
import { taskOf } from "./compare-actions.ts";
import { type EarlierCommit, findEarlierCommit, type JobCommit } from "./commits.ts";
import { projectOf } from "./compare-builds.ts";
import { limitDifferences } from "./difference.ts";
import type { RemovalReason } from "../contract/misses.ts";

export interface NotedMiss {
  namespaceId: string;
  key: string;
  at: number;
  times: number;
  isIncomplete: boolean;
  note: MissNote | null;
  /** The commit of the job that asked. */
  commit: JobCommit | null;
}

export interface RemovedKey {
  namespaceId: string;
  key: string;
  at: number;
  because: RemovalReason;
}

/** Rows of one statement: PostgreSQL takes 65,535 values, SQLite 32,766. */
const ROWS_AT_ONCE = 200;
const SILENT: MissNote = { target: "", mnemonic: "", invocation: "" };

export async function writeRemoved(
  database: Pick<CacheDatabase, "db" | "kind">,
  removed: readonly RemovedKey[],
): Promise<void> {
  // One statement must not contain a row twice.
  const last = new Map(removed.map((each) => [each.namespaceId + each.key, each]));
  const trusted = await findTrusted(database, new Set(removed.map(({ namespaceId }) => namespaceId)));
  const kept = inOrder([...last.values()].filter(({ namespaceId }) => trusted.has(namespaceId)));
  for (const part of chunksOf(kept, FIND_AT_ONCE))
    await inTransaction(
      database,
      (transaction) =>
        transaction
          .insertInto("cache_removed")
          .values(
            part.map(({ namespaceId, key, at, because }) => ({
              namespace_id: namespaceId,
              key,
              removed_at: at,
              because,
            })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(["namespace_id", "key"])
              .doUpdateSet({ removed_at: sql`excluded.removed_at`, because: sql`excluded.because` }),
          )
          .execute(),
      "read committed",
    );
}

/** Misses are counted for trusted namespaces; overlays come and go. */
async function findTrusted(
  { db }: Pick<CacheDatabase, "db">,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const trusted = new Set<string>();
  for (const part of chunksOf([...ids], FIND_AT_ONCE)) {
    const query = db.selectFrom("cache_namespaces").select("id").where("id", "in", part);
    for (const { id } of await query.where("overlay", "=", "").execute()) trusted.add(id);
  }
  return trusted;
}

/** Adds why each key was removed before, and the last result of the same work. */
export async function writeMisses(
  database: Pick<CacheDatabase, "db" | "kind">,
  misses: readonly NotedMiss[],
): Promise<void> {
  for (const [namespaceId, all] of Map.groupBy(misses, (miss) => miss.namespaceId))
    for (const part of chunksOf(inOrder(all), ROWS_AT_ONCE)) await writePart(database, namespaceId, part);
}

const taskOfMiss = ({ key, note }: NotedMiss) => projectOf(key) ?? taskOf(note ?? SILENT);

async function writePart(
  database: Pick<CacheDatabase, "db" | "kind">,
  namespaceId: string,
  part: readonly NotedMiss[],
): Promise<void> {
  const removals = await findRemovals(database, namespaceId, part);
  const results = await findResults(database, namespaceId, part);
  const commits = await findCommits(database, namespaceId, part);
  const rows = part.map((miss) => {
    const { key, at, times, isIncomplete, note } = miss;
    const removal = removals.get(key);
    const earlier = results.get(taskOfMiss(miss) ?? "");
    const nearest = earlier?.key === key ? undefined : earlier;
    const isNew = !nearest && !removal && !isIncomplete;
    const commit = isNew ? commits.get(nameOf(miss)) : undefined;
    return {
      namespace_id: namespaceId,
      key,
      missed_at: at,
      times,
      is_incomplete: isIncomplete ? 1 : 0,
      ...(note ?? SILENT),
      written_at: null,
      removed_at: removal?.removed_at ?? null,
      removed_because: removal?.because ?? ("" as const),
      nearest_key: nearest?.key ?? "",
      nearest_at: nearest?.written_at ?? commit?.at ?? null,
      differences: commit ? JSON.stringify(limitDifferences(commit.differences)) : null,
    };
  });
  await inTransaction(
    database,
    (transaction) =>
      transaction
        .insertInto("cache_misses")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["namespace_id", "key"]).doUpdateSet((column) => ({
            missed_at: column.ref("excluded.missed_at"),
            times: sql`cache_misses.times + excluded.times`,
            is_incomplete: column.ref("excluded.is_incomplete"),
            // The name from its result stays as long as the tool sends none.
            target: sql`coalesce(nullif(excluded.target, ''), cache_misses.target)`,
            mnemonic: sql`coalesce(nullif(excluded.mnemonic, ''), cache_misses.mnemonic)`,
            invocation: column.ref("excluded.invocation"),
            written_at: null,
            removed_at: column.ref("excluded.removed_at"),
            removed_because: column.ref("excluded.removed_because"),
            nearest_key: column.ref("excluded.nearest_key"),
            nearest_at: column.ref("excluded.nearest_at"),
            differences: column.ref("excluded.differences"),
          })),
        )
        .execute(),
    "read committed",
  );
}

async function findRemovals(
  { db }: Pick<CacheDatabase, "db">,
  namespaceId: string,
  part: readonly NotedMiss[],
) {
  const rows = await db
    .selectFrom("cache_removed")
    .select(["key", "removed_at", "because"])
    .where("namespace_id", "=", namespaceId)
    .where(
      "key",
      "in",
      part.map(({ key }) => key),
    )
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

async function findResults(
  { db }: Pick<CacheDatabase, "db">,
  namespaceId: string,
  part: readonly NotedMiss[],
) {
  const tasks = part.map(taskOfMiss).filter((task) => task !== null);
  if (tasks.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom("cache_work")
    .select(["work", "key", "written_at"])
    .where("namespace_id", "=", namespaceId)
    .where("work", "in", [...new Set(tasks)])
    .execute();
  return new Map(rows.map((row) => [row.work, row]));
}

const nameOf = ({ commit }: NotedMiss) => JSON.stringify(commit);

/** By the asking commit: what another commit stored before it. */
async function findCommits(
  database: Pick<CacheDatabase, "db">,
  namespaceId: string,
  part: readonly NotedMiss[],
): Promise<ReadonlyMap<string, EarlierCommit>> {
  const found = new Map<string, EarlierCommit>();
  for (const [name, [first]] of Map.groupBy(part, nameOf)) {
    const earlier = first?.commit && (await findEarlierCommit(database, namespaceId, first.commit));
    if (earlier) found.set(name, earlier);
  }
  return found;
}
