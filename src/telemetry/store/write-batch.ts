import type { DatabaseSync, StatementSync } from "node:sqlite";
import { countsOf, createDayCounter } from "./day-counts.ts";
import { inTransaction } from "#platform/database/open-sqlite.ts";
import type {
  ErrorRow,
  EventRow,
  FeedbackRow,
  MissingRow,
  OutboxRow,
  SearchRow,
  StoredSnapshot,
  ViewRow,
} from "../contract/types.ts";

/** The rows of one transaction. */
export interface Batch {
  events: EventRow[];
  snapshots: StoredSnapshot[];
  errors: ErrorRow[];
  views: ViewRow[];
  searches: SearchRow[];
  missing: MissingRow[];
  feedback: FeedbackRow[];
  outbox: OutboxRow[];
}

export type BatchWriter = (batch: Partial<Batch>) => void;

/**
 * Prepares the statements and returns the function that writes a batch: all of it or nothing. A row whose id already exists
 * is left out, and so is its copy for a service.
 */
export function createBatchWriter(db: DatabaseSync, toOutbox: ToOutbox = {}): BatchWriter {
  const statements = prepareInserts(db);
  const count = createDayCounter(db);
  const copy = (row: OutboxRow | null | undefined) => {
    if (row) statements.outbox.run(row.service, row.kind, row.at, row.distinctId, row.body);
  };
  const writeEvents = (rows: EventRow[]) => {
    for (const row of rows) {
      const { uuid, at, name, source, distinctId, sessionId, windowId, path, properties } = row;
      const values = [uuid, at, name, source, distinctId, sessionId, windowId, path, properties];
      if (statements.events.run(...values).changes) copy(toOutbox.event?.(row));
    }
  };
  const writeSnapshots = (rows: StoredSnapshot[]) => {
    for (const row of rows) {
      const { uuid, at, sessionId, windowId, distinctId, path, startedAt, endedAt, events } = row;
      const values = [uuid, at, sessionId, windowId, distinctId, path, startedAt, endedAt, events];
      if (statements.snapshots.run(...values).changes) copy(toOutbox.snapshot?.(row));
    }
  };
  return (batch) =>
    inTransaction(db, () => {
      writeEvents(batch.events ?? []);
      writeSnapshots(batch.snapshots ?? []);
      for (const row of batch.errors ?? []) insertError(statements.errors, row);
      count(countsOf(batch.views ?? [], batch.searches ?? [], batch.missing));
      for (const row of batch.feedback ?? []) statements.feedback.run(row.at, row.path, row.answer, row.text);
      for (const row of batch.outbox ?? []) copy(row);
    });
}

/** Makes a service's copy of a new row; absent if no such service is configured. */
export interface ToOutbox {
  event?: (row: EventRow) => OutboxRow | null;
  snapshot?: (row: StoredSnapshot) => OutboxRow | null;
}

function insertError(statement: StatementSync, row: ErrorRow): void {
  const { eventId, at, platform, fingerprint, type, value, culprit } = row;
  const { release, environment, path, browser, frames } = row;
  const identity = [eventId, at, platform, fingerprint, type, value, culprit];
  statement.run(...identity, release, environment, path, browser, frames);
}

function prepareInserts(db: DatabaseSync) {
  const insert = (table: string, columns: string[]) =>
    db.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
  return {
    events: insert("events", "uuid at name source distinctId sessionId windowId path properties".split(" ")),
    snapshots: insert(
      "snapshots",
      "uuid at sessionId windowId distinctId path startedAt endedAt events".split(" "),
    ),
    errors: insert(
      "errors",
      "eventId at platform fingerprint type value culprit release environment path browser frames".split(" "),
    ),
    feedback: insert("feedback", ["at", "path", "answer", "text"]),
    outbox: insert("outbox", ["service", "kind", "at", "distinctId", "body"]),
  };
}

export function rowCount(batch: Partial<Batch>): number {
  return Object.values(batch).reduce((sum, rows) => sum + rows.length, 0);
}
