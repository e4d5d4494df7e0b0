/**
 * Brings a database's tables to the newest form: one list of migrations, each run once, in order.
 *
 * An upgrade replaces servers one after the other, so the previous release must keep working on tables that the
 * new one has changed: a migration only adds; what it makes unnecessary is removed a release later. A server
 * therefore accepts a database that is one release newer, and refuses one that is two.
 */
import { type Kysely, sql } from "kysely";
import type { DatabaseKind } from "./columns.ts";

export interface Migration {
  /** Sorted in the list as they run; never changed afterwards: `accounts-1`. */
  name: string;
  /** Counts releases that changed a table, from 1. */
  release: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tables change with each migration; Kysely's own type here
  up: (db: Kysely<any>, kind: DatabaseKind) => Promise<void>;
}

/** The database is two releases newer. */
export class NewerDatabaseError extends Error {}

interface Row {
  migrations: { name: string; release: number; ran_at: number };
}

/** Any number: who changes tables of this database holds this lock. */
const LOCK = 6_455_477;

/** In one transaction: a migration that fails leaves the database as it was. */
export async function migrate(
  db: Kysely<unknown>,
  kind: DatabaseKind,
  migrations: readonly Migration[],
): Promise<void> {
  await (db as Kysely<Row>).transaction().execute(async (transaction) => {
    if (kind === "postgres") await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await transaction.schema
      .createTable("migrations")
      .ifNotExists()
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("release", "integer", (column) => column.notNull())
      .addColumn("ran_at", "bigint", (column) => column.notNull())
      .execute();
    const ran = await transaction.selectFrom("migrations").select(["name", "release"]).execute();
    refuseNewer(ran, migrations);
    const names = new Set(ran.map(({ name }) => name));
    for (const { name, release, up } of migrations) {
      if (names.has(name)) continue;
      // oxlint-disable-next-line no-await-in-loop -- in order, on one connection
      await up(transaction, kind);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await transaction.insertInto("migrations").values({ name, release, ran_at: Date.now() }).execute();
    }
  });
}

function refuseNewer(ran: readonly { release: number }[], known: readonly Migration[]): void {
  const newest = (rows: readonly { release: number }[]) => Math.max(0, ...rows.map(({ release }) => release));
  const [theirs, ours] = [newest(ran), newest(known)];
  if (theirs <= ours + 1) return;
  throw new NewerDatabaseError(
    `The database was changed by a server that is ${theirs - ours} releases newer than this one (its tables have form ${theirs}, this server knows ${ours}). Start that release, or the one before it.`,
  );
}
