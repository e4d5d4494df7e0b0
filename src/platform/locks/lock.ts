/**
 * A lock between processes: SQLite's, on an empty file. The system releases it when its process ends for any reason, so no lock
 * is ever left behind.
 */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { SQLITE_BUSY, sqliteCode } from "../database/sqlite-code.ts";

/** Between two attempts. */
const PAUSE_MS = 200;

/** A handle without a reference would be garbage-collected, and its lock released. */
const held = new Set<DatabaseSync>();

export interface FileLock {
  /** Releases it for another process; no effect when repeated. */
  release: () => void;
}

/** @returns null when another process has it. @throws the system's error when the file cannot be created */
export function tryLock(file: string): FileLock | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (sqliteCode(error) === SQLITE_BUSY) return null;
    throw error;
  }
  held.add(lock);
  return {
    release() {
      if (held.delete(lock)) lock.close();
    },
  };
}

export interface LockWait {
  /** Called once when another process has it. */
  onWait?: () => void;
  /** Stops waiting. */
  signal?: AbortSignal;
}

/** Waits until it is free. @throws the system's error, or the signal's reason */
export async function waitForLock(file: string, { onWait, signal }: LockWait = {}): Promise<FileLock> {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(file);
    if (lock) return lock;
    if (isFirst) onWait?.();
    await sleep(PAUSE_MS, undefined, signal && { signal });
  }
}
