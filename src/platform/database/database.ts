/**
 * The database of records: SQLite in one file, or PostgreSQL. Rooms use Kysely and need not know which.
 *
 * The same in both: ids and texts are `text` (compared byte by byte), whole numbers and times `bigint` (milliseconds since 1970),
 * booleans `bigint` 1 and 0, JSON `text`. `columnTypes` has their names.
 */
import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect, type QueryExecutorProvider, type Transaction } from "kysely";
import type { Reserve } from "../files/reserve.ts";
import type { DatabaseKind } from "./columns.ts";
import { ConflictError, isConflict } from "./database-away.ts";
import { DatabaseInUseError } from "./open-sqlite.ts";
import { migrate, type Migration } from "./migrate.ts";
import { SQLITE_BUSY, sqliteCode } from "./sqlite-code.ts";
import { createFairPool } from "./fair-pool.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { createTurns, type Turns } from "./turns.ts";
import { passFullDisk } from "./urgent.ts";

/** @typeParam Tables the row type of each table, by table name */
export interface Database<Tables> {
  db: Kysely<Tables>;
  kind: DatabaseKind;
  close: () => Promise<void>;
}

/** A database with unknown tables, of any release. */
export interface UnreadDatabase {
  db: QueryExecutorProvider;
  kind: DatabaseKind;
}

export interface DatabaseOptions {
  /** Absolute path of SQLite's file, null for a database in memory, or a `postgres://` address. */
  at: { file: string | null } | { url: string };
  /** Migrations of all rooms, in order. */
  migrations: readonly Migration[];
  /** May reject the database before its tables are migrated. */
  beforeChange?: (database: UnreadDatabase) => Promise<void>;
  /** SQLite: the reserve of its disk, for urgent writes. */
  reserve?: Reserve | null | undefined;
  /** PostgreSQL: most connections of this process. */
  maxConnections?: number;
  /** PostgreSQL: an idle connection broke. The pool replaces it. */
  onConnectionError?: (error: Error) => void;
}

const MAX_CONNECTIONS = 10;
const BUSY_MS = 5_000;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** If two transactions touch the same rows, one of them must restart. */
const MAX_ATTEMPTS = 8;
/** After that, it runs without other transactions of this process, so that many writers of the same few rows all succeed. */
const ATTEMPTS_BESIDE_OTHERS = 3;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = "23505";
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;

/**
 * Opens the database and migrates its tables to the latest version.
 * @throws UnfitDatabaseError when its tables do not match this release; DatabaseInUseError; the driver's error
 */
export async function openDatabase<Tables>(options: DatabaseOptions): Promise<Database<Tables>> {
  const { at, migrations, beforeChange, reserve } = options;
  const kind: DatabaseKind = "url" in at ? "postgres" : "sqlite";
  const db = new Kysely<Tables>({
    dialect:
      "url" in at ? await openPostgres(at.url, options) : createSqliteDialect(openFile(at.file), reserve),
  });
  if (reserve) sharedOf(db).reserve = reserve;
  try {
    await beforeChange?.({ db, kind });
    await migrate(db as Kysely<unknown>, kind, migrations);
  } catch (error) {
    await db.destroy();
    if (sqliteCode(error) !== SQLITE_BUSY) throw error;
    throw new DatabaseInUseError("The database is in use by another process, which does not release it.", {
      cause: error,
    });
  }
  return { db, kind, close: () => db.destroy() };
}

export type Isolation = "serializable" | "read committed";

/**
 * Runs all of it or nothing, isolated from others. It may run more than once, so it must change only the database.
 * @param isolation "read committed": each statement sees everything committed before it, and waits for transactions that change
 *    the same rows. For statements that are correct on their own, or that lock the rows they read; no difference with SQLite
 * @throws ConflictError when every attempt conflicts with others
 */
export async function inTransaction<Tables, Result>(
  { db, kind }: Pick<Database<Tables>, "db" | "kind">,
  run: (transaction: Transaction<Tables>) => Promise<Result>,
  isolation: Isolation = "serializable",
): Promise<Result> {
  if (kind === "sqlite") return passFullDisk(known.get(db)?.reserve, () => db.transaction().execute(run));
  const { turns, conflicts } = sharedOf(db);
  const execute = () => db.transaction().setIsolationLevel(isolation).execute(run);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await turns.run(execute, attempt > ATTEMPTS_BESIDE_OTHERS);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const isLast = attempt === MAX_ATTEMPTS;
      conflicts[isLast ? "refused" : "retried"] += 1;
      if (isLast) throw new ConflictError(MAX_ATTEMPTS, error);
      const pauseMs = Math.random() * 10 * 2 ** attempt;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** This process's transactions that conflicted with others: retried, or given up. */
export interface Conflicts {
  retried: number;
  refused: number;
}

export const conflictsOf = (db: object): Readonly<Conflicts> => sharedOf(db).conflicts;

/** State shared by the transactions of one database. */
interface Shared {
  turns: Turns;
  conflicts: Conflicts;
  reserve?: Reserve;
}

const known = new WeakMap<object, Shared>();

function sharedOf(db: object): Shared {
  const shared: Shared = known.get(db) ?? { turns: createTurns(), conflicts: { retried: 0, refused: 0 } };
  known.set(db, shared);
  return shared;
}

/** Whether a row with the same key already exists. */
export function isDuplicate(error: unknown): boolean {
  if (codeOf(error) === UNIQUE_VIOLATION) return true;
  const code = error instanceof Error && "errcode" in error ? error.errcode : 0;
  return code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY;
}

function openFile(file: string | null): DatabaseSync {
  const db = new DatabaseSync(file ?? ":memory:", { timeout: BUSY_MS });
  // FULL: acknowledged writes are on the disk.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  return db;
}

/** The driver is loaded only when used. */
async function openPostgres(
  url: string,
  { maxConnections = MAX_CONNECTIONS, onConnectionError = () => {} }: DatabaseOptions,
): Promise<PostgresDialect> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    application_name: "millrace",
    types: { getTypeParser: parserOf(pg.types) },
  });
  // Without a listener, a connection that breaks while no query runs would end the process: when idle, or between two statements
  // of a transaction.
  pool.on("error", onConnectionError);
  pool.on("connect", (client) => client.on("error", onConnectionError));
  return new PostgresDialect({ pool: createFairPool(pool, { most: maxConnections, waitMs: CONNECT_MS }) });
}

/** Counts, sizes and times are whole numbers below 2^53; by default the driver returns them as text. */
function parserOf(types: typeof import("pg").types): typeof types.getTypeParser {
  const wholeNumbers: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC];
  // One function cannot satisfy the declared overloads.
  return ((id: number, format?: "text") =>
    wholeNumbers.includes(id) ? Number : types.getTypeParser(id, format)) as typeof types.getTypeParser;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
