/**
 * Migrates a database's tables to the latest version: one list of migrations, each run once, in order.
 *
 *   lock ─► refuse foreign tables ─► run missing migrations ─► compare all tables ─► commit
 *
 * An upgrade replaces servers one after the other, so the previous release must keep working on tables that the
 * new one has changed: a migration only adds; tables and columns that it makes obsolete are removed a release later. A server
 * therefore accepts a database that is one release newer, and refuses one that is two releases newer.
 *
 * Each migration's row has the hash of its effect (`migration-hashes.ts`), and no server starts on a database where a migration
 * of the same name had another effect, or whose tables do not match the migrations (decision 047).
 */
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { DatabaseKind } from "./columns.ts";
import type { Migration } from "./migration.ts";
import { hashMigrations } from "./migration-hashes.ts";
import { compareShapes, expectedShapes, readShapes } from "./table-shapes.ts";

export type { Migration };

/** This release cannot work with the database; nothing was changed. The message says why and what to do. */
export class UnfitDatabaseError extends Error {}

/** The database is two releases newer. */
export class NewerDatabaseError extends UnfitDatabaseError {}

interface Row {
  name: string;
  release: number;
  ran_at: number;
  /** From `hashMigrations`; null if an earlier release ran it. */
  hash: string | null;
}

type Tables = { migrations: Row };

/** An arbitrary number: a server that changes this database's tables holds this lock. */
const LOCK = 6_455_477;
const MAX_NAMED = 10;

/**
 * In one transaction: a migration that fails leaves the database as it was.
 * @throws UnfitDatabaseError
 */
export async function migrate(
  db: Kysely<unknown>,
  kind: DatabaseKind,
  migrations: readonly Migration[],
): Promise<void> {
  const hashes = await hashMigrations(migrations, kind);
  await (db as Kysely<Tables>).transaction().execute(async (transaction) => {
    if (kind === "postgres") await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await makeTable(transaction, kind);
    const ran = await transaction.selectFrom("migrations").selectAll().execute();
    refuseNewer(ran, migrations);
    refuseChanged(ran, hashes);
    const names = new Set(ran.map(({ name }) => name));
    for (const { name, release, up } of migrations) {
      if (names.has(name)) continue;
      await up(transaction, kind);
      const row = { name, release, ran_at: Date.now(), hash: hashes.get(name) ?? null };
      await transaction.insertInto("migrations").values(row).execute();
    }
    refuseTables(await findDifferences({ db: transaction, kind }, migrations));
    await addHashes(transaction, ran, hashes);
  });
}

/** @returns how the tables differ from the migrations' result, as phrases; empty if nothing is missing */
export async function findDifferences(
  { db, kind }: { db: QueryExecutorProvider; kind: DatabaseKind },
  migrations: readonly Migration[],
): Promise<string[]> {
  return compareShapes(await expectedShapes(migrations), await readShapes(db, kind));
}

async function makeTable(db: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const columns = (await readShapes(db, kind)).get("migrations")?.columns;
  if (!columns)
    await db.schema
      .createTable("migrations")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("release", "integer", (column) => column.notNull())
      .addColumn("ran_at", "bigint", (column) => column.notNull())
      .addColumn("hash", "text")
      .execute();
  // For releases from before hashes existed.
  else if (!columns.has("hash")) await db.schema.alterTable("migrations").addColumn("hash", "text").execute();
}

/** The tables were found correct, so the migrations that made them are. */
async function addHashes(
  db: Kysely<Tables>,
  ran: readonly Row[],
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { name, hash } of ran)
    if (hash === null && hashes.has(name))
      await db
        .updateTable("migrations")
        .set({ hash: hashes.get(name)! })
        .where("name", "=", name)
        .execute();
}

function refuseNewer(ran: readonly Row[], known: readonly Migration[]): void {
  const newest = (rows: readonly { release: number }[]) => Math.max(0, ...rows.map(({ release }) => release));
  const [theirs, ours] = [newest(ran), newest(known)];
  if (theirs <= ours + 1) return;
  throw new NewerDatabaseError(
    `The database was changed by a server that is ${theirs - ours} releases newer than this one (its tables are at version ${theirs}, this server's are at version ${ours}). Start that release, or the one before it.`,
  );
}

function refuseChanged(ran: readonly Row[], hashes: ReadonlyMap<string, string>): void {
  const changed = ran.filter(({ name, hash }) => hash !== null && (hashes.get(name) ?? hash) !== hash);
  if (changed.length === 0) return;
  const names = listed(
    changed.map(({ name, ran_at }) => `${name} (${new Date(ran_at).toISOString().slice(0, 10)})`),
  );
  throw new UnfitDatabaseError(
    `Its tables were created by a server of an unknown release: a migration of the same name does something else in this release: ${names}. Nothing was changed. Start the build that ran it, or restore a backup from a release.`,
  );
}

function refuseTables(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw new UnfitDatabaseError(
    `Its tables do not match this release: ${listed(differences)}. Nothing was changed. Restore a backup that matches, or undo what was changed by hand.`,
  );
}

/** For messages and the log. */
export function listed(phrases: readonly string[]): string {
  const more = phrases.length - MAX_NAMED;
  return `${phrases.slice(0, MAX_NAMED).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
