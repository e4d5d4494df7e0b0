/**
 * What the database's thread does: opens the file, writes batches, answers requests, deletes what is old. Writing never
 * throws: what cannot be written is dropped, counted and reported, so that its sender is told and pages and searches go on.
 */
import type { DatabaseSync } from "node:sqlite";
import { DatabaseInUseError, isDamage } from "#platform/database/open-sqlite.ts";
import { SQLITE_BUSY, SQLITE_FULL, sqliteCode } from "#platform/database/sqlite-code.ts";
import type { ErrorReport } from "../ingest/sentry/error-report.ts";
import type { ErrorRow } from "../types.ts";
import { dayMilliseconds } from "../days.ts";
import { deleteLeftovers } from "./leftovers.ts";
import { openDatabase, setFileAside } from "./open-database.ts";
import { type Retention, retentionStep } from "./retention.ts";
import { type Batch, type BatchWriter, createBatchWriter, rowCount, type ToOutbox } from "./write-batch.ts";

/** What a reader's browser still had to send arrives within this after they erased everything. */
const forgottenMilliseconds = 60_000;
/** After a failure to open the file, telemetry is dropped for this long before the next attempt. */
const reopenMilliseconds = 30_000;
/** A disk has space again when somebody has made some, so that it is looked at more often. */
const fullDiskMilliseconds = 5000;

export interface StoreServiceOptions {
  file: string;
  retention: Retention;
  toOutbox?: ToOutbox;
  /** Maps frames to the source and finds what the error is the same as. */
  toErrorRow: (report: ErrorReport) => ErrorRow;
  log: (line: string) => void;
  clock?: () => number;
  /** Tests make a disk full with it. */
  onOpen?: (db: DatabaseSync) => void;
}

/** Rows as the routes hand them over: errors are not mapped yet. */
export type WriteRequest = Omit<Partial<Batch>, "errors"> & { reports?: ErrorReport[] };

export interface WriteOutcome {
  /** Rows that were not written: all or none. What was there already, or was erased just now, is not counted. */
  dropped: number;
  reason: string | null;
  isDiskFull: boolean;
}

export interface StoreService {
  /** Returns after the commit: what is not reported as dropped survives the end of the process. */
  write: (request: WriteRequest) => WriteOutcome;
  /** Runs a request on the database. @throws StoreUnavailableError, or what the request throws. */
  read: <Result>(run: (db: DatabaseSync) => Result) => Result;
  /** Readers who have just erased everything: what they still send in the next minute is not kept. */
  forget: (ids: readonly string[]) => void;
  /** One step of deleting what is old. @returns whether there is more. */
  tidy: () => boolean;
  close: () => void;
}

class StoreUnavailableError extends Error {}

export function createStoreService(options: StoreServiceOptions): StoreService {
  const { file, log, clock = Date.now } = options;
  let open: { db: DatabaseSync; write: BatchWriter } | null = null;
  let closedUntil = 0;
  let lastProblem = "";
  let isDiskFull = false;
  /** Identifier → until when its rows are left out. */
  const forgotten = new Map<string, number>();

  /** One line for each problem, not for each batch. */
  function logOnce(problem: string): void {
    if (problem !== lastProblem) log(`Telemetry: ${problem}`);
    lastProblem = problem;
  }

  function ensureOpen() {
    if (open) return open;
    if (clock() < closedUntil) return null;
    try {
      const { db, setAside } = openDatabase(file, clock);
      options.onOpen?.(db);
      if (setAside) log(`Telemetry: ${setAside}`);
      open = { db, write: createBatchWriter(db, options.toOutbox) };
      return open;
    } catch (error) {
      isDiskFull = isFull(error);
      closedUntil = clock() + (isDiskFull ? fullDiskMilliseconds : reopenMilliseconds);
      const remedy =
        error instanceof DatabaseInUseError
          ? "End the other process that has it, or give each its own DATA_DIR."
          : "Make its folder writable, or set DATA_DIR to another one.";
      logOnce(
        `${file} cannot be opened (${messageOf(error)}). Nothing is kept until it can; pages are not affected. ${remedy}`,
      );
      return null;
    }
  }

  function close(): void {
    try {
      open?.db.close();
    } catch {
      // The handle is gone either way.
    }
    open = null;
  }

  /** @returns whether it is worth another attempt. */
  function recover(error: unknown): boolean {
    if (!isDamage(error)) return false;
    close();
    try {
      log(`Telemetry: ${setFileAside(file, error, clock())}`);
    } catch (failure) {
      closedUntil = clock() + reopenMilliseconds;
      logOnce(`${file} is damaged and cannot be renamed (${messageOf(failure)}).`);
      return false;
    }
    return true;
  }

  function attempt(batch: Partial<Batch>, attemptsLeft: number): string | null {
    const current = ensureOpen();
    if (!current) return lastProblem;
    try {
      current.write(batch);
      lastProblem = "";
      isDiskFull = false;
      return null;
    } catch (error) {
      isDiskFull = isFull(error);
      const isWorthAnother = recover(error) || sqliteCode(error) === SQLITE_BUSY;
      if (isWorthAnother && attemptsLeft > 0) return attempt(batch, attemptsLeft - 1);
      logOnce(
        `rows are dropped because they cannot be written (${messageOf(error)}). Pages are not affected.`,
      );
      return messageOf(error);
    }
  }

  function isForgotten({ distinctId }: { distinctId: string }): boolean {
    const until = forgotten.get(distinctId);
    if (until === undefined) return false;
    if (until < clock()) forgotten.delete(distinctId);
    return until >= clock();
  }

  return {
    write({ reports = [], events = [], snapshots = [], ...rows }) {
      const batch = {
        ...rows,
        events: events.filter((row) => !isForgotten(row)),
        snapshots: snapshots.filter((row) => !isForgotten(row)),
        errors: reports.map(options.toErrorRow),
      };
      const reason = attempt(batch, 1);
      if (reason === null) return { dropped: 0, reason, isDiskFull: false };
      return { dropped: rowCount(batch), reason, isDiskFull };
    },
    read(run) {
      const current = ensureOpen();
      if (!current) throw new StoreUnavailableError(lastProblem || "The database is not open.");
      try {
        return run(current.db);
      } catch (error) {
        recover(error);
        throw error;
      }
    },
    forget(ids) {
      for (const [id, until] of forgotten) if (until < clock()) forgotten.delete(id);
      for (const id of ids) forgotten.set(id, clock() + forgottenMilliseconds);
    },
    tidy() {
      const current = ensureOpen();
      if (!current) return false;
      try {
        if (retentionStep(current.db, options.retention, clock())) return true;
        deleteLeftovers(file, clock() - options.retention.retentionDays * dayMilliseconds);
        return false;
      } catch (error) {
        recover(error);
        logOnce(`old rows cannot be deleted (${messageOf(error)}).`);
        return false;
      }
    },
    close,
  };
}

function isFull(error: unknown): boolean {
  if (sqliteCode(error) === SQLITE_FULL) return true;
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
