import { sql } from "kysely";
import type { CacheDatabase } from "../records/schema.ts";
import { FORGOTTEN_AFTER_MS, MAX_MISSES, MAX_REMOVED, MAX_WORK } from "./limits.ts";

const TABLES = [
  { table: "cache_misses", time: "missed_at", max: MAX_MISSES },
  { table: "cache_removed", time: "removed_at", max: MAX_REMOVED },
  { table: "cache_work", time: "written_at", max: MAX_WORK },
] as const;

/** Keeps the last ones of these namespaces, and none that is too old. */
export async function trimNamespaces(
  { db }: Pick<CacheDatabase, "db">,
  namespaceIds: Iterable<string>,
  now: number,
): Promise<void> {
  for (const id of namespaceIds)
    for (const { table, time, max } of TABLES) {
      const [rows, at] = [sql.table(table), sql.ref(time)];
      // Rows with the same time all stay or are all removed.
      const tooMany = sql`coalesce((
        select ${at} from ${rows} where namespace_id = ${id} order by ${at} desc limit 1 offset ${sql.lit(max)}), 0)`;
      await sql`delete from ${rows} where namespace_id = ${id} and ${at} <= ${tooMany}`.execute(db);
      await sql`delete from ${rows} where namespace_id = ${id} and ${at} < ${now - FORGOTTEN_AFTER_MS}`.execute(
        db,
      );
    }
}

/** For a namespace that no longer exists. */
export async function forgetMisses({ db }: Pick<CacheDatabase, "db">, namespaceId: string): Promise<void> {
  for (const { table } of TABLES)
    await sql`delete from ${sql.table(table)} where namespace_id = ${namespaceId}`.execute(db);
}
