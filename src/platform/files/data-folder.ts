/**
 * The folder with everything that the server keeps, for one process at a time and for no other user: two servers on one
 * folder would overwrite each other's files without a word.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_BUSY, sqliteCode } from "../database/sqlite-code.ts";
import { FILE_MODE, FOLDER_MODE } from "./durable.ts";

const lockName = "server.lock";
const holderName = "server.json";
/** A handle that nobody refers to would be collected, and its lock with it. */
const held = new Set<DatabaseSync>();

export interface DataFolder {
  /** Absolute. */
  path: string;
  /** Lets another process have it. */
  close: () => void;
}

/** Another process has the folder; the message says which and what to do. */
export class FolderInUseError extends Error {}

/**
 * Makes the folder, takes it for this process and makes it and what is in it private (0700, 0600). The lock is SQLite's on
 * an empty file: the system gives it back when its process ends, however that happens, so that none is ever left behind.
 * @param holder what another process is told about this one: the address it serves
 * @throws FolderInUseError, or the system's error when the folder cannot be written
 */
export function openDataFolder(folder: string, holder: string): DataFolder {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  const lock = new DatabaseSync(join(path, lockName), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (sqliteCode(error) === SQLITE_BUSY) throw new FolderInUseError(describeHolder(folder, path));
    throw error;
  }
  held.add(lock);
  makePrivate(path);
  const said = { pid: process.pid, holder, since: new Date().toISOString() };
  writeFileSync(join(path, holderName), `${JSON.stringify(said)}\n`, { mode: FILE_MODE });
  return {
    path,
    close() {
      if (held.delete(lock)) lock.close();
    },
  };
}

function describeHolder(folder: string, path: string): string {
  const remedy = "Stop it, or give this one another DATA_DIR.";
  try {
    const { pid, holder, since } = JSON.parse(readFileSync(join(path, holderName), "utf8")) as {
      [name: string]: unknown;
    };
    return `DATA_DIR ${folder} is in use by the server at ${String(holder)} (process ${String(pid)}, since ${String(since)}). ${remedy}`;
  } catch {
    // It has the lock and has not said yet who it is.
    return `DATA_DIR ${folder} is in use by another process. ${remedy}`;
  }
}

/** What an earlier version, another tool or a careless copy left readable for others. Links are not followed. */
function makePrivate(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return;
  const mode = stat.isDirectory() ? FOLDER_MODE : FILE_MODE;
  if ((stat.mode & 0o777) !== mode) chmodSync(path, mode);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
}
