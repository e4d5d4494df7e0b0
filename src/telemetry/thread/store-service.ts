/**
 * The database thread's work: opens the file, writes batches, answers requests, deletes old rows. Writing never throws. Rows
 * that cannot be written are dropped, counted and reported, so that their sender learns of it while pages and searches
 * continue.
 */
import type { DatabaseSync } from "node:sqlite";
import { createPace, describeLag } from "#platform/database/sweep-clock.ts";
import { SQLITE_BUSY, sqliteCode } from "#platform/database/sqlite-code.ts";
import { DAY_MS } from "../contract/days.ts";
import { deleteLeftovers } from "../store/leftovers.ts";
import { KEPT_KINDS, type KeptKind } from "../contract/budgets.ts";
import { type Retention, retentionStep } from "../store/retention.ts";
import { noteSwept, sweptUntil } from "../store/swept.ts";
import { type Batch, rowCount, type ToOutbox } from "../store/write-batch.ts";
import type { ErrorReport, ErrorRow } from "../contract/types.ts";
import { createDatabaseHandle, type DatabaseHandle, isFullDisk, messageOf } from "./database-handle.ts";
import { createForgottenReaders } from "./forgotten-readers.ts";
import type { WriteOutcome, WriteRequest } from "./messages.ts";

export interface StoreServiceOptions {
  file: string;
  retention: Retention;
  toOutbox?: ToOutbox;
  /** Maps frames to the source, and groups equal errors. */
  toErrorRow: (report: ErrorReport) => ErrorRow;
  log: (line: string) => void;
  clock?: () => number;
  /** Milliseconds from any origin, by a clock that is never set. */
  elapsed?: () => number;
  /** Lets tests make a disk full. */
  onOpen?: (db: DatabaseSync) => void;
}

export interface StoreService {
  /** Returns after the commit: rows that are not reported as dropped survive the end of the process. */
  write: (request: WriteRequest) => WriteOutcome;
  /** Runs a request on the database. @throws StoreUnavailableError, or the errors of the request. */
  read: <Result>(run: (db: DatabaseSync) => Result) => Result;
  /** Readers who have just erased everything: data that they still send in the next minute is not stored. */
  forget: (ids: readonly string[]) => void;
  /** One step of deleting old rows. @returns whether there is more. */
  tidy: () => boolean;
  /** Rows of a kind that were deleted since the start because there was too much. */
  evicted: (kind: KeptKind) => number;
  close: () => void;
}

class StoreUnavailableError extends Error {}

export function createStoreService(options: StoreServiceOptions): StoreService {
  const { file, retention, clock = Date.now } = options;
  const database = createDatabaseHandle({ ...options, clock });
  const forgotten = createForgottenReaders(clock);
  const evictions = createEvictions(options);
  const pace = createPace(options.elapsed);
  /** The time that this round of deletion uses as now, until nothing is left to delete. */
  let round: number | null = null;
  const beginRound = (db: DatabaseSync): number => {
    const now = clock();
    const until = pace(now, sweptUntil(db));
    noteSwept(db, until);
    if (until < now) options.log(`Telemetry: ${describeLag(now, until)}`);
    return until;
  };
  return {
    write({ reports = [], events = [], snapshots = [], ...rows }) {
      const batch = {
        ...rows,
        events: events.filter((row) => !forgotten.has(row)),
        snapshots: snapshots.filter((row) => !forgotten.has(row)),
        errors: reports.map(options.toErrorRow),
      };
      return writeBatch(database, batch);
    },
    read(run) {
      const current = database.open();
      if (!current) throw new StoreUnavailableError(database.problem() || "The database is not open.");
      try {
        return run(current.db);
      } catch (error) {
        database.recover(error);
        throw error;
      }
    },
    forget: forgotten.add,
    tidy() {
      const current = database.open();
      if (!current) return false;
      try {
        const now = (round ??= beginRound(current.db));
        if (retentionStep(current.db, retention, now, evictions.add)) return true;
        round = null;
        evictions.logNew();
        deleteLeftovers(file, now - retention.retentionDays * DAY_MS);
        return false;
      } catch (error) {
        database.recover(error);
        database.report(`old rows cannot be deleted (${messageOf(error)}).`);
        return false;
      }
    },
    evicted: evictions.count,
    close: database.close,
  };
}

/** Counts rows deleted for size, and logs the number after a round of deleting. */
function createEvictions({ retention, log }: Pick<StoreServiceOptions, "retention" | "log">) {
  const counts = new Map<KeptKind, number>();
  const logged = new Map<KeptKind, number>();
  const count = (kind: KeptKind) => counts.get(kind) ?? 0;
  return {
    count,
    add: (kind: KeptKind, rows: number) => void counts.set(kind, count(kind) + rows),
    logNew() {
      const news = KEPT_KINDS.flatMap((kind) => {
        const rows = count(kind) - (logged.get(kind) ?? 0);
        logged.set(kind, count(kind));
        return rows > 0 ? [`${kind} ${rows}`] : [];
      });
      if (news.length > 0)
        log(
          `Telemetry: the oldest data was deleted, because all of it would take more than ${retention.maxBytes} bytes. Rows: ${news.join(", ")}.`,
        );
    },
  };
}

function writeBatch(database: DatabaseHandle, batch: Partial<Batch>, attemptsLeft = 1): WriteOutcome {
  const current = database.open();
  if (!current) {
    const isDiskFull = database.isDiskFull();
    return { dropped: rowCount(batch), reason: database.problem(), isDiskFull };
  }
  try {
    current.write(batch);
    database.noteSuccess();
    return { dropped: 0, reason: null, isDiskFull: false };
  } catch (error) {
    const isWorthAnother = database.recover(error) || sqliteCode(error) === SQLITE_BUSY;
    if (isWorthAnother && attemptsLeft > 0) return writeBatch(database, batch, attemptsLeft - 1);
    database.report(
      `rows are dropped because they cannot be written (${messageOf(error)}). Pages are not affected.`,
    );
    return { dropped: rowCount(batch), reason: messageOf(error), isDiskFull: isFullDisk(error) };
  }
}
