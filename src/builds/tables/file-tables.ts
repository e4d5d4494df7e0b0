/** Tables for explanations, in addition to steps and recipes. */
import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

export async function createFileTables(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_files")
    .addColumn("build_id", text, (column) => column.primaryKey())
    .addColumn("data", kind === "postgres" ? "bytea" : "blob", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("build_resets")
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("reset_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_resets_key", ["project_id", "platform"])
    .execute();
}
