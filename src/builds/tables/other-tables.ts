/** Tables of refs, logs, durations and the authority, as the first migration makes them. */
import { type Kysely, sql } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

export async function createOthers(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_refs")
    .addColumn("build_id", text, (column) => column.notNull())
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("ref", text, (column) => column.notNull())
    // A second solve under the same name would overwrite the first in BuildKit's history.
    .addPrimaryKeyConstraint("build_refs_key", ["project_id", "platform", "ref"])
    .execute();
  await db.schema.createIndex("build_refs_by_build").on("build_refs").columns(["build_id"]).execute();
  await db.schema
    .createTable("build_log")
    .addColumn("build_id", text, (column) => column.notNull())
    .addColumn("first_line", "bigint", (column) => column.notNull())
    .addColumn("last_line", "bigint", (column) => column.notNull())
    .addColumn("data", kind === "postgres" ? "bytea" : "blob", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_log_key", ["build_id", "first_line"])
    .execute();
  await db.schema
    .createTable("build_durations")
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("step_key", text, (column) => column.notNull())
    .addColumn("duration_ms", "bigint", (column) => column.notNull())
    .addColumn("measured_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_durations_key", ["project_id", "step_key"])
    .execute();
  await db.schema
    .createTable("build_authority")
    .addColumn("id", "bigint", (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("certificate", text, (column) => column.notNull())
    .addColumn("sealed_key", text, (column) => column.notNull())
    .execute();
}
