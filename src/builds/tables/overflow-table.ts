import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

/** Layer caches that were full, by the build after which they were. */
export async function createOverflowTable(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_overflows")
    .addColumn("build_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("noted_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_overflows_key", ["build_id", "platform"])
    .execute();
}
