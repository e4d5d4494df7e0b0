/** Finds the few builds of an organization that have not ended. They are asked for every three seconds by whoever looks at them. */
import { type Kysely, sql } from "kysely";

/** In the words of the index: SQLite takes it for no others. */
export const isOpen = (column: "state" | "builds.state") =>
  sql<boolean>`${sql.ref(column)} in ('queued', 'running')`;

/** Without statistics, which nobody makes, SQLite would read all builds of the organization. */
export async function createOpenIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("builds_open")
    .on("builds")
    .columns(["organization_id", "created_at", "id"])
    .where(isOpen("state"))
    .execute();
}
