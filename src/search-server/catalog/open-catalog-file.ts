import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOTADB, sqliteCode } from "#platform/database/sqlite-code.ts";
import { renameDurably } from "#platform/files/durable.ts";
import { migrations } from "./schema.ts";

export interface OpenedCatalogFile {
  db: DatabaseSync;
  /** The new name of a damaged catalog; null when it was fine. */
  setAside: string | null;
}

/** How long a statement waits for another process that reads the catalog. */
const BUSY_MS = 2_000;

class DamagedCatalogError extends Error {}

/**
 * Opens the catalog for this process alone, makes or migrates its tables. A damaged file is renamed beside itself and an
 * empty one takes its place.
 * @param path null: in memory
 * @throws Error when another process has it or a newer version wrote it; the system's error when it cannot be written.
 */
export async function openCatalogFile(path: string | null, now: Date): Promise<OpenedCatalogFile> {
  if (path === null) return { db: openAndMigrate(":memory:"), setAside: null };
  try {
    return { db: openAndMigrate(path), setAside: null };
  } catch (error) {
    if (sqliteCode(error) === SQLITE_BUSY) {
      throw new Error(`${path} is in use by another process: stop it, or give this one another folder.`, {
        cause: error,
      });
    }
    if (!isDamage(error)) throw error;
    const setAside = `${path}.damaged-${fileTime(now)}`;
    // The journal belongs to its file: alone it would be replayed into the new one.
    for (const suffix of ["-wal", "-shm", ""])
      if (existsSync(path + suffix)) await renameDurably(path + suffix, setAside + suffix);
    return { db: openAndMigrate(path), setAside };
  }
}

/** A time as part of a file's name. */
export function fileTime(now: Date): string {
  return now.toISOString().replaceAll(/[:.]/g, "-");
}

function openAndMigrate(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    if (path !== ":memory:") db.exec(holdAlone(path));
    // A backup that opens or closes the catalog has it for a moment.
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.exec("PRAGMA main.journal_mode = WAL; PRAGMA main.synchronous = FULL");
    // What was acknowledged survives a power cut, too. Without the limit the journal keeps the size of its largest moment.
    db.exec("PRAGMA journal_size_limit = 4194304; PRAGMA temp_store = MEMORY");
    const check = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (check !== "ok") throw new DamagedCatalogError(String(check));
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Takes the catalog for this connection until it is closed: a second service on one folder is told so instead of losing
 * the writes of both. The lock is on an empty database beside it, because others may read the catalog: a backup does.
 */
function holdAlone(path: string): string {
  const lock = `${path}.lock`.replaceAll("'", "''");
  return `
    ATTACH DATABASE '${lock}' AS holder;
    PRAGMA holder.journal_mode = MEMORY; PRAGMA holder.locking_mode = EXCLUSIVE;
    BEGIN EXCLUSIVE; COMMIT`;
}

function migrate(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
    if (version > migrations.length) {
      throw new Error(
        `the catalog of the indexes was written by a newer version (schema ${version}, this one knows ${migrations.length}): start that version, or move the folder away`,
      );
    }
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof DamagedCatalogError) return true;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(sqliteCode(error));
}
