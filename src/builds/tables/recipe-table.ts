import type { Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";

/** One row per platform of a build, used to explain why a step ran again. */
export async function createRecipeTable(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  await db.schema
    .createTable("build_recipes")
    .addColumn("build_id", text, (column) => column.notNull())
    .addColumn("platform", text, (column) => column.notNull())
    .addColumn("data", kind === "postgres" ? "bytea" : "blob", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_recipes_key", ["build_id", "platform"])
    .execute();
}
