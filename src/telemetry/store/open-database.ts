import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  DamagedDatabaseError,
  NewerSchemaError,
  openOrReplaceSqlite,
  setSqliteAside,
  WrongSchemaError,
} from "#platform/database/open-sqlite.ts";
import { MIGRATIONS } from "./schema.ts";

/** How long a statement waits while another process uses the database. */
const BUSY_MS = 2000;

/** `auto_vacuum` must come before the first table: deleted pages are given back in small steps. */
const PRAGMAS = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;
  -- Without it the journal keeps the size of its largest moment.
  PRAGMA journal_size_limit = 33554432; PRAGMA secure_delete = ON`;

export interface OpenedDatabase {
  db: DatabaseSync;
  /** Why the former file was set aside, and its new name; null when it was valid. */
  setAside: string | null;
}

/**
 * Opens the telemetry's database, makes or migrates its tables. A file that is not a database, is damaged, has other tables,
 * or was written by a newer version is set aside, and an empty one takes its place.
 * @throws the system's error when the folder cannot be written, the disk is full or the file locked.
 */
export function openDatabase(file: string, clock: () => number = Date.now): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true });
  const { db, setAside } = openOrReplaceSqlite({
    path: file,
    what: "the telemetry's database",
    migrations: MIGRATIONS,
    pragmas: PRAGMAS,
    busyMs: BUSY_MS,
    now: new Date(clock()),
    mayReplace: (error) =>
      [DamagedDatabaseError, NewerSchemaError, WrongSchemaError].some((kind) => error instanceof kind),
    // Data that a migration deleted must not be readable in the journal either.
    onMigrated: (opened) => opened.exec("PRAGMA wal_checkpoint(TRUNCATE)"),
  });
  return { db, setAside: setAside && describeSetAside(file, setAside.path, setAside.reason) };
}

/** Renames a damaged file and its journal, and logs one line about it. */
export function setFileAside(file: string, reason: unknown, now: number): string {
  return describeSetAside(file, setSqliteAside(file, new Date(now)), reason);
}

function describeSetAside(file: string, kept: string, reason: unknown): string {
  return `${file} cannot be used (${reason instanceof Error ? reason.message : String(reason)}); it is kept as ${kept}, and a new one was created.`;
}
