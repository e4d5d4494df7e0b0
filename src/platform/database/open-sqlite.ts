/**
 * Opens an SQLite file and migrates its tables to the latest version.
 *
 *   pragmas ─► quick_check (if asked) ─► BEGIN IMMEDIATE ─► migrations from `user_version` on ─► COMMIT ─► tables compared
 *
 * A damaged file can be set aside: renamed, never deleted, together with its journal, which would otherwise
 * be replayed into the new file.
 */
import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncFolderNow } from "../files/durable.ts";
import { SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from "./sqlite-code.ts";
import { compareShapes, readSqliteShapes } from "./table-shapes.ts";

export interface SqliteOptions {
  /** null: in memory. */
  path: string | null;
  /** Name of the content, for messages: `the catalog of the indexes`. */
  what: string;
  /** In order; migrations that have run are never edited. `PRAGMA user_version` counts them. */
  migrations: readonly string[];
  /** Run first, before any table exists. */
  pragmas: string;
  /** Milliseconds that a statement waits for another process. Default 0. */
  busyMs?: number;
  /** Checks the file for damage; takes longer for larger files. Default false. */
  isChecked?: boolean;
  /** Called after migrations that changed something. */
  onMigrated?: (db: DatabaseSync) => void;
}

export class DamagedDatabaseError extends Error {}

/** The file was written by a newer version whose tables this one does not know. */
export class NewerSchemaError extends Error {}

/** Its tables do not match the migrations: something else has changed them. */
export class WrongSchemaError extends Error {}

/** Another process is using the file. */
export class DatabaseInUseError extends Error {}

/** @throws DatabaseInUseError, NewerSchemaError, WrongSchemaError, DamagedDatabaseError, or the system's error */
export function openSqlite(options: SqliteOptions): DatabaseSync {
  const { path, pragmas, busyMs = 0, isChecked = false } = options;
  const db = new DatabaseSync(path ?? ":memory:", { timeout: busyMs });
  try {
    db.exec(pragmas);
    if (isChecked) checkFile(db);
    migrate(db, options);
    checkTables(db, options);
    return db;
  } catch (error) {
    db.close();
    throw explain(error, path);
  }
}

export interface ReplaceableSqliteOptions extends SqliteOptions {
  now: Date;
  /** Which errors an empty database would fix. Default: only damage. */
  mayReplace?: (error: unknown) => boolean;
}

export interface OpenedSqlite {
  db: DatabaseSync;
  /** The old file's new name, and the reason; null when the file was fine. */
  setAside: { path: string; reason: Error } | null;
}

/** Like `openSqlite`, but replaces an unusable database with an empty one. */
export function openOrReplaceSqlite({ now, mayReplace, ...options }: ReplaceableSqliteOptions): OpenedSqlite {
  try {
    return { db: openSqlite(options), setAside: null };
  } catch (error) {
    const isMended = mayReplace?.(error) ?? error instanceof DamagedDatabaseError;
    if (options.path === null || !isMended || !(error instanceof Error)) throw error;
    const path = setSqliteAside(options.path, now);
    return { db: openSqlite(options), setAside: { path, reason: error } };
  }
}

/** Renames a file and its journal, durably. @returns its new name */
export function setSqliteAside(path: string, now: Date): string {
  const kept = `${path}.damaged-${fileTime(now)}`;
  // The journal first: otherwise it would be replayed into a new database.
  for (const suffix of ["-wal", "-shm", ""])
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  syncFolderNow(dirname(path));
  return kept;
}

/** A time, as part of a file name. */
export function fileTime(now: Date): string {
  return now.toISOString().replaceAll(/[:.]/g, "-");
}

/** Whether a database error says that the file is damaged or not a database. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedDatabaseError || [SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(error));
}

/** Runs all of it or nothing. @throws what `run` throws */
export function inTransaction<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk or a damaged file may already have ended the transaction.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function checkFile(db: DatabaseSync): void {
  const check = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (check !== "ok") throw new DamagedDatabaseError(String(check));
}

function migrate(db: DatabaseSync, { migrations, what, onMigrated }: SqliteOptions): void {
  if (versionOf(db) === migrations.length) return;
  inTransaction(db, () => {
    // Two processes may start at the same time, so the process with the lock reads the version again.
    const version = versionOf(db);
    if (version > migrations.length)
      throw new NewerSchemaError(
        `${what} was written by a newer version (schema ${version}, this one knows ${migrations.length}): start that version, or move the file away`,
      );
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
  onMigrated?.(db);
}

function checkTables(db: DatabaseSync, { migrations, what }: SqliteOptions): void {
  const fresh = new DatabaseSync(":memory:");
  for (const sql of migrations) fresh.exec(sql);
  const differences = compareShapes(readSqliteShapes(fresh), readSqliteShapes(db));
  fresh.close();
  if (differences.length > 0)
    throw new WrongSchemaError(
      `${what} does not have the tables that this release needs (${differences.join(", ")}): restore a backup that has them, or move the file away`,
    );
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

function explain(error: unknown, path: string | null): unknown {
  if (sqliteCode(error) === SQLITE_BUSY)
    return new DatabaseInUseError(
      `${path} is in use by another process: stop it, or use a different folder for this one.`,
      { cause: error },
    );
  if (isDamage(error) && error instanceof Error && !(error instanceof DamagedDatabaseError))
    return new DamagedDatabaseError(error.message, { cause: error });
  return error;
}
