import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import type { CacheDatabase } from "#cache/index.ts";

const AT_ONCE = 500_000;

/** Entries with random keys that all have one blob: the database makes them itself, in its own loop. */
export async function fillIndex(database: CacheDatabase, namespaceId: string, count: number): Promise<void> {
  const now = Date.now();
  const digest = `sha256:${"0".repeat(64)}`;
  for (let made = 0; made < count; made += AT_ONCE)
    await inTransaction(database, async (transaction) => {
      // In the order of the keys a portion costs a tenth of what it costs in any other.
      await sql`insert into cache_entries (namespace_id, key, digest, size, meta, writer_id, written_at, used_at)
        with recursive counted(number) as (select 1 union all select number + 1 from counted where number < ${AT_ONCE})
        select ${namespaceId}, key, ${digest}, 1, '', 'cwr_bench', ${now}, ${now} from
        (select 'ac/' || lower(hex(randomblob(32))) as key from counted) order by key`.execute(transaction);
    });
  await database.db
    .insertInto("blobs")
    .values({
      digest,
      size: 1,
      stored_bytes: 1,
      encoding: "identity",
      place: "00".repeat(16),
      reference_count: count,
      held_until: 0,
      is_damaged: 0,
    })
    .execute();
  await database.db
    .updateTable("cache_namespaces")
    .set({ entries: count, size_bytes: count })
    .where("id", "=", namespaceId)
    .execute();
}
