/** Tables of places, and of servers and their builders. */
import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

export async function createPlaceTables(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .alterTable("builds")
    .addColumn("reported", text, (column) => column.notNull().defaultTo(""))
    .execute();
  // For lists filtered by state, and the counts next to every list.
  for (const scope of ["project_id", "organization_id"])
    await db.schema
      .createIndex(`builds_by_${scope.replace("_id", "")}_state`)
      .on("builds")
      .columns([scope, "state", "created_at", "id"])
      .execute();
  await db.schema
    .createTable("build_places")
    .addColumn("build_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("number", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .addColumn("granted_at", "bigint")
    .addColumn("opened_at", "bigint")
    .addColumn("error", text, (column) => column.notNull().defaultTo(""))
    .addColumn("tried", text, (column) => column.notNull().defaultTo(""))
    .addPrimaryKeyConstraint("build_places_key", ["build_id", "platform"])
    .execute();
  await db.schema
    .createIndex("build_places_by_project")
    .on("build_places")
    .columns(["project_id", "number"])
    .execute();
  await db.schema
    .createTable("build_servers")
    .addColumn("holder", text, (column) => column.primaryKey())
    .addColumn("server", text, (column) => column.notNull())
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("build_homes")
    .addColumn("project_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("server", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("build_homes_key", ["project_id", "platform"])
    .execute();
}

export async function addMachines(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await db.schema.alterTable("build_servers").addColumn("about", columnTypes(kind).text).execute();
}
