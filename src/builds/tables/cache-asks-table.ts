/** The table of requests between servers about layer caches. */
import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

export async function createCacheAsksTable(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_cache_asks")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("server", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .addColumn("answer", text, (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .createIndex("build_cache_asks_by_server")
    .on("build_cache_asks")
    .columns(["server", "answer"])
    .execute();
}
