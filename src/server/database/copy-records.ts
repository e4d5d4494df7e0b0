/**
 * The step from one machine to replicas: copies the content of `millrace.db` into an empty PostgreSQL.
 *
 *   tables in the order of their references ─► each read row by row, written in batches ─► counted
 *   └──────────────────────────── one transaction of PostgreSQL: all or nothing ───────────────────┘
 *
 * The file keeps its rows, so that a server can return to it.
 */
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#platform/database/database.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** Any table, by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- tables of all rooms, whatever they hold
type Tables = any;

/** Data about the database and its servers, not users' records; events are numbered anew. */
const NOT_COPIED = ["migrations", "leases", "events", "secret_key_check"];
/** Rows per statement; PostgreSQL accepts 65,535 values. */
const MAX_ROWS = 500;
const MAX_VALUES = 60_000;
/** An arbitrary number other than the migrations' lock: held while copying. */
const LOCK = 6_455_478;

export interface CopiedRecords {
  tables: number;
  rows: number;
}

/**
 * @returns null when the target already has rows; then nothing is changed
 * @throws UserError when the source is from another release; the driver's error. Then nothing is copied
 */
export async function copyRecords(
  source: Pick<Database<Tables>, "db">,
  target: Pick<Database<Tables>, "db">,
): Promise<CopiedRecords | null> {
  const tables = await tablesInOrder(source.db);
  await checkTables(tables, target.db);
  return target.db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    let rows = 0;
    for (const table of tables) if ((await countRows(transaction, table)) > 0) return null;
    for (const table of tables) {
      rows += await copyTable(source.db, transaction, table);
    }
    return { tables: tables.length, rows };
  });
}

/** Referenced tables come first. */
async function tablesInOrder(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; parent: string | null }>`
    select t.name, f."table" as parent from sqlite_schema t
    left join pragma_foreign_key_list(t.name) f on f."table" <> t.name
    where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_' order by t.name`.execute(db);
  const parents = new Map<string, string[]>();
  for (const { name, parent } of rows)
    parents.set(name, [...(parents.get(name) ?? []), ...(parent === null ? [] : [parent])]);
  const ordered = new Set<string>();
  const place = (name: string, below: readonly string[]) => {
    if (below.includes(name)) throw new Error(`Tables refer to each other in a circle: ${below.join(", ")}`);
    for (const parent of parents.get(name) ?? []) place(parent, [...below, name]);
    ordered.add(name);
  };
  for (const name of parents.keys()) place(name, []);
  return [...ordered].filter((name) => !NOT_COPIED.includes(name));
}

async function checkTables(wanted: readonly string[], db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
    db,
  );
  const missing = wanted.filter((table) => !rows.some(({ name }) => name === table));
  if (missing.length > 0)
    throw new UserError(
      `millrace.db has tables that this release does not know (${missing.join(", ")}): copy it with the release that it belongs to.`,
    );
}

async function copyTable(from: Kysely<Tables>, to: Transaction<Tables>, table: string): Promise<number> {
  let copied = 0;
  let batch: Record<string, unknown>[] = [];
  const write = async () => {
    if (batch.length > 0) await to.insertInto(table).values(batch).execute().catch(explain(table));
    copied += batch.length;
    batch = [];
  };
  for await (const row of from.selectFrom(table).selectAll().stream(MAX_ROWS)) {
    batch.push(row);
    if (batch.length >= Math.min(MAX_ROWS, MAX_VALUES / Object.keys(row).length)) await write();
  }
  await write();
  const found = await countRows(to, table);
  if (found === copied) return copied;
  throw new Error(`PostgreSQL has ${found} rows of ${table} instead of ${copied}.`);
}

async function countRows(db: Kysely<Tables>, table: string): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const explain = (table: string) => (error: unknown) => {
  throw new Error(
    `The table ${table} could not be copied: ${error instanceof Error ? error.message : error}`,
    {
      cause: error,
    },
  );
};
