/**
 * The folder with all of the server's data, for one process at a time and no other user: two servers in one folder would silently
 * overwrite each other's files.
 */
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDiskFull } from "../database/disk-full.ts";
import { FILE_MODE, FOLDER_MODE, makeFolderNow } from "../files/durable.ts";
import { type FileLock, tryLock } from "./lock.ts";

const LOCK_NAME = "server.lock";
const HOLDER_NAME = "server.json";

export interface DataFolder {
  /** Absolute. */
  path: string;
  /** Releases it for another process. */
  close: () => void;
}

/** Another process has the folder; the message says which process and what to do. */
export class FolderInUseError extends Error {}

/**
 * Makes the folder, locks it for this process, and makes it private (0700), with the files directly in it (0600).
 * @param holder this process's address, for the messages of other processes
 * @throws FolderInUseError, or the system's error when the folder cannot be written
 */
export function openDataFolder(folder: string, holder: string): DataFolder {
  const path = resolve(folder);
  makeFolderNow(path);
  const lock = tryLock(join(path, LOCK_NAME));
  if (!lock) throw new FolderInUseError(describeHolder(folder, path));
  makePrivate(path);
  const said = { pid: process.pid, holder, since: new Date().toISOString() };
  sayHolder(join(path, HOLDER_NAME), `${JSON.stringify(said)}\n`, lock);
  return { path, close: lock.release };
}

/** Skipped on a full disk: the server starts anyway. */
function sayHolder(file: string, text: string, lock: FileLock): void {
  try {
    writeFileSync(file, text, { mode: FILE_MODE });
  } catch (error) {
    if (isDiskFull(error)) return rmSync(file, { force: true });
    lock.release();
    throw error;
  }
}

function describeHolder(folder: string, path: string): string {
  const remedy = "Stop it, or set a different DATA_DIR for this one.";
  try {
    const { pid, holder, since } = JSON.parse(readFileSync(join(path, HOLDER_NAME), "utf8")) as {
      [name: string]: unknown;
    };
    return `DATA_DIR ${folder} is in use by the server at ${String(holder)} (process ${String(pid)}, since ${String(since)}). ${remedy}`;
  } catch {
    // It has the lock but has not yet written its name.
    return `DATA_DIR ${folder} is in use by another process. ${remedy}`;
  }
}

/**
 * No other user can enter a folder of mode 0700, so subfolders are not touched. Much of their content belongs to others: in a
 * layer cache, modes are content. The files directly in it, records and keys, are the server's own, and stay private even in a
 * careless copy of the folder. Links are not followed.
 */
function makePrivate(folder: string): void {
  if ((statSync(folder).mode & 0o777) !== FOLDER_MODE) chmodSync(folder, FOLDER_MODE);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && (stat.mode & 0o777) !== FILE_MODE) chmodSync(path, FILE_MODE);
  }
}
