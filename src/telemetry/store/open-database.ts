import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from "#platform/database/sqlite-code.ts";
import { syncFolderNow } from "#platform/files/durable.ts";
import { MIGRATIONS } from "./schema.ts";

/** How long a statement waits for another process that has the database. */
const BUSY_MS = 2000;

export interface OpenedDatabase {
  db: DatabaseSync;
  /** Why the former file was set aside, and its new name; null when it was fine. */
  setAside: string | null;
}

/**
 * Opens the telemetry's database, makes or migrates its tables. A file that is no database, is damaged, or was written by
 * a newer version is renamed beside itself (never deleted), and an empty one takes its place.
 * @throws the system's error when the folder cannot be written, the disk is full or the file locked.
 */
export function openDatabase(file: string, clock: () => number = Date.now): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true });
  try {
    return { db: openAndMigrate(file), setAside: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const setAside = setFileAside(file, error, clock());
    return { db: openAndMigrate(file), setAside };
  }
}

/** Renames a damaged file and its journal; says so in one line. */
export function setFileAside(file: string, reason: unknown, now: number): string {
  const kept = `${file}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, "-")}`;
  // The journal goes first: left beside a new database, it would be replayed into it.
  for (const suffix of ["-wal", "-shm", ""])
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  syncFolderNow(dirname(file));
  return `${file} cannot be used (${reason instanceof Error ? reason.message : String(reason)}); it is kept as ${kept}, and a new one was begun.`;
}

class NewerSchemaError extends Error {}

function openAndMigrate(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // Must come before the first table: deleted pages are given back in small steps.
    db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY");
    // Without a limit the journal keeps the largest size that it ever had.
    db.exec("PRAGMA journal_size_limit = 33554432; PRAGMA secure_delete = ON");
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: DatabaseSync): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  // Two processes may start at once: the version is read again by the one that holds the lock.
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = versionOf(db);
    if (version > MIGRATIONS.length)
      throw new NewerSchemaError(
        `its schema is number ${version}, this version knows ${MIGRATIONS.length}: it was written by a newer version`,
      );
    for (const sql of MIGRATIONS.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec("COMMIT");
    // What a migration has deleted must not remain in the journal either.
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

export function isDamage(error: unknown): boolean {
  if (error instanceof NewerSchemaError) return true;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(error));
}
