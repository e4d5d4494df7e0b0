import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

/** Builds whose logs `buildkitd` may still keep, unmasked. */
export async function createKeptLogsTable(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_kept_logs")
    .addColumn("build_id", text, (column) => column.primaryKey())
    .addColumn("server", text, (column) => column.notNull())
    .execute();
}
