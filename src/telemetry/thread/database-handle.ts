import type { DatabaseSync } from "node:sqlite";
import { DatabaseInUseError, isDamage } from "#platform/database/open-sqlite.ts";
import { SQLITE_FULL, sqliteCode } from "#platform/database/sqlite-code.ts";
import { openDatabase, setFileAside } from "../store/open-database.ts";
import { type BatchWriter, createBatchWriter, type ToOutbox } from "../store/write-batch.ts";

/** After a failure to open the file, telemetry is dropped for this long before the next attempt. */
const REOPEN_MS = 30_000;
/** Shorter, because a full disk has space again as soon as someone frees some. */
const REOPEN_FULL_DISK_MS = 5000;

export interface DatabaseHandleOptions {
  file: string;
  toOutbox?: ToOutbox;
  log: (line: string) => void;
  clock: () => number;
  /** Lets tests make a disk full. */
  onOpen?: (db: DatabaseSync) => void;
}

/** The open database, or the reason why there is none. */
export interface DatabaseHandle {
  /** Opens the file unless it is open, or the last attempt has just failed. */
  open: () => { db: DatabaseSync; write: BatchWriter } | null;
  /** Sets a damaged file aside. @returns whether another attempt may succeed */
  recover: (error: unknown) => boolean;
  /** Logs a problem, once while it lasts and not for each batch. */
  report: (problem: string) => void;
  /** The last problem; empty after a successful write. */
  problem: () => string;
  noteSuccess: () => void;
  /** Whether the file could not be opened for lack of space. */
  isDiskFull: () => boolean;
  close: () => void;
}

export function createDatabaseHandle(options: DatabaseHandleOptions): DatabaseHandle {
  const { file, log, clock } = options;
  let opened: { db: DatabaseSync; write: BatchWriter } | null = null;
  let closed = { at: 0, forMs: 0 };
  let lastProblem = "";
  let isDiskFull = false;

  function report(problem: string): void {
    if (problem !== lastProblem) log(`Telemetry: ${problem}`);
    lastProblem = problem;
  }

  function close(): void {
    try {
      opened?.db.close();
    } catch {
      // The handle is closed in any case.
    }
    opened = null;
  }

  return {
    open() {
      if (opened) return opened;
      // In both directions, because the clock may have been set back.
      if (Math.abs(clock() - closed.at) < closed.forMs) return null;
      try {
        const { db, setAside } = openDatabase(file, clock);
        options.onOpen?.(db);
        if (setAside) log(`Telemetry: ${setAside}`);
        opened = { db, write: createBatchWriter(db, options.toOutbox) };
        return opened;
      } catch (error) {
        isDiskFull = isFullDisk(error);
        closed = { at: clock(), forMs: isDiskFull ? REOPEN_FULL_DISK_MS : REOPEN_MS };
        report(describeOpenError(file, error));
        return null;
      }
    },
    recover(error) {
      if (!isDamage(error)) return false;
      close();
      try {
        log(`Telemetry: ${setFileAside(file, error, clock())}`);
        return true;
      } catch (failure) {
        closed = { at: clock(), forMs: REOPEN_MS };
        report(`${file} is damaged and cannot be renamed (${messageOf(failure)}).`);
        return false;
      }
    },
    report,
    problem: () => lastProblem,
    noteSuccess() {
      lastProblem = "";
      isDiskFull = false;
    },
    isDiskFull: () => isDiskFull,
    close,
  };
}

function describeOpenError(file: string, error: unknown): string {
  const remedy =
    error instanceof DatabaseInUseError
      ? "Stop the other process that uses it, or give each its own DATA_DIR."
      : isFullDisk(error)
        ? "Free space on its disk."
        : "Make its folder writable, or set DATA_DIR to another folder.";
  return `${file} cannot be opened (${messageOf(error)}). Until it can, nothing is stored; pages are not affected. ${remedy}`;
}

export function isFullDisk(error: unknown): boolean {
  if (sqliteCode(error) === SQLITE_FULL) return true;
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
