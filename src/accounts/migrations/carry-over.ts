/**
 * Data folders of 22 November 2026: the migration `accounts-1` of that landing made other tables than it does today, because
 * it was edited afterwards. This adds what the tables lack; complete tables stay unchanged.
 */
import { type Kysely, sql } from "kysely";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import { readShapes } from "#platform/database/table-shapes.ts";
import { auditWords } from "../contract/audit.ts";
import type { AccountTables } from "../records/schema.ts";

const BATCH = 500;

interface Place {
  db: Kysely<AccountTables>;
  kind: DatabaseKind;
  /** Whether a table has a column. */
  has: (table: string, column: string) => boolean;
}

/** @param createTable one of `accounts-1`, with its indexes */
export async function carryOver(
  db: Kysely<AccountTables>,
  kind: DatabaseKind,
  createTable: (table: "exchanges" | "usage_counts") => Promise<void>,
): Promise<void> {
  const shapes = await readShapes(db, kind);
  const place: Place = { db, kind, has: (table, column) => shapes.get(table)?.columns.has(column) ?? false };
  await addOptional(place);
  await addRevisions(place);
  await addWords(place);
  if (!place.has("exchanges", "id")) await createTable("exchanges");
  if (!place.has("usage_counts", "project_id")) await countByProject(db, () => createTable("usage_counts"));
}

async function addOptional({ db, kind, has }: Place): Promise<void> {
  const { text } = columnTypes(kind);
  for (const [table, column, type] of [
    ["projects", "changed_at", "bigint"],
    ["projects", "changed_by", text],
    ["tokens", "last_used_from", text],
    ["tokens", "revoked_by", text],
  ] as const)
    if (!has(table, column)) await db.schema.alterTable(table).addColumn(column, type).execute();
}

async function addRevisions({ db, kind, has }: Place): Promise<void> {
  if (has("projects", "revision")) return;
  await db.schema
    .alterTable("projects")
    .addColumn("revision", "bigint", (column) => column.notNull().defaultTo(1))
    .execute();
  await dropDefault({ db, kind }, "projects", "revision");
}

async function addWords({ db, kind, has }: Place): Promise<void> {
  if (has("audit_events", "words")) return;
  await db.schema
    .alterTable("audit_events")
    .addColumn("words", columnTypes(kind).text, (column) => column.notNull().defaultTo(""))
    .execute();
  await dropDefault({ db, kind }, "audit_events", "words");
  for (let last = ""; ;) {
    const rows = await db
      .selectFrom("audit_events")
      .select(["id", "actor", "actor_id", "action", "target", "target_id", "address", "details"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const { id, details, ...row } of rows) {
      const { actor, actor_id, action, target, target_id, address } = row;
      const shown = [actor, actor_id, action, target, target_id, address];
      const words = auditWords([...shown, ...Object.entries(JSON.parse(details) as object).flat()]);
      await db.updateTable("audit_events").set({ words }).where("id", "=", id).execute();
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
  }
}

/** A primary key with one more column: the table is recreated. It has few rows, one for each day and organization. */
async function countByProject(db: Kysely<AccountTables>, createTable: () => Promise<void>): Promise<void> {
  await sql`create table usage_counts_before as select * from usage_counts`.execute(db);
  await db.schema.dropTable("usage_counts").execute();
  await createTable();
  await sql`insert into usage_counts (organization_id, project_id, day, kind, count)
    select organization_id, '', day, kind, count from usage_counts_before`.execute(db);
  await sql`drop table usage_counts_before`.execute(db);
}

/** Statements name the column, as they must for new tables. SQLite keeps the default, which is never used. */
async function dropDefault({ db, kind }: Pick<Place, "db" | "kind">, table: string, column: string) {
  if (kind === "postgres")
    await db.schema
      .alterTable(table)
      .alterColumn(column, (altered) => altered.dropDefault())
      .execute();
}
