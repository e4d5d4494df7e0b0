/** Index of an organization's few unfinished builds, which every viewer polls every three seconds. */
import { type Kysely, sql } from "kysely";

/** In the words of the index: SQLite uses it for no others. */
export const isOpen = (column: "state" | "builds.state") =>
  sql<boolean>`${sql.ref(column)} in ('queued', 'running')`;

/** Without statistics, which are never made, SQLite would read all builds of the organization. */
export async function createOpenIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("builds_open")
    .on("builds")
    .columns(["organization_id", "created_at", "id"])
    .where(isOpen("state"))
    .execute();
}
