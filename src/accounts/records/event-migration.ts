import type { Generated, Kysely } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import type { Migration } from "#platform/database/migrate.ts";

/** Changes and refusals, for readers of the event stream: not the audit log, and kept for only a day. */
export interface EventTables {
  events: {
    /** Counts from 1; a number is never reused. Not ordered by commit in PostgreSQL. */
    id: Generated<number>;
    /** Also that of a deleted organization. */
    organization_id: string;
    time: number;
    /** An action of the audit log, `token.create`, or a refusal, `refused.project`. */
    kind: string;
    /** The id of the changed object. */
    subject: string;
    project_id: string | null;
    actor: string;
    actor_id: string;
    text: string;
    is_refused: 0 | 1;
  };
}

export const eventMigration: Migration = { name: "events-1", release: 1, up: createEvents };

async function createEvents(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  let builder = db.schema
    .createTable("events")
    .addColumn("id", kind === "postgres" ? "bigserial" : "integer", (column) =>
      kind === "postgres" ? column.primaryKey() : column.primaryKey().autoIncrement(),
    );
  for (const name of ["organization_id", "kind", "subject", "actor", "actor_id", "text"])
    builder = builder.addColumn(name, text, (column) => column.notNull());
  await builder
    .addColumn("project_id", text)
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("is_refused", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("events_organization_id_id")
    .on("events")
    .columns(["organization_id", "id"])
    .execute();
  await db.schema.createIndex("events_time").on("events").column("time").execute();
}
