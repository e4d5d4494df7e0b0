import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "#platform/database/open-sqlite.ts";
import type { WaitingRow } from "./services.ts";
import type { OutboxRow } from "../contract/types.ts";

const ROWS_PER_READ = 100;
const BYTES_PER_READ = 4_000_000;
/** Dropping continues to a little below the cap, so that the next row does not start it again. */
const FILLED_AFTERWARDS = 0.9;

/** Runs on the database; may throw when the database is not open. */
export type ReadDatabase = <Result>(run: (db: DatabaseSync) => Result) => Result;

/** The copies that wait for one service, oldest first. */
export interface Outbox {
  /** Some of the oldest: as many as may be in memory at a time. */
  next: () => WaitingRow[];
  remove: (rows: readonly WaitingRow[]) => void;
  /**
   * Drops the oldest copies while all together exceed the cap. Recordings go first: a recording that was sent compressed may
   * be megabytes here, and must not displace events. @returns how many were dropped
   */
  makeRoom: () => number;
  count: () => number;
}

export function openOutbox(service: OutboxRow["service"], read: ReadDatabase, maxBytes: number): Outbox {
  return {
    next: () =>
      read((db) => {
        const rows: WaitingRow[] = [];
        let bytes = 0;
        const statement = db.prepare(
          "SELECT id, kind, body FROM outbox WHERE service = ? ORDER BY id LIMIT ?",
        );
        for (const row of statement.iterate(service, ROWS_PER_READ) as Iterable<unknown>) {
          const { id, kind, body } = row as WaitingRow; // the columns of the statement
          bytes += body.byteLength;
          if (rows.length > 0 && bytes > BYTES_PER_READ) break;
          rows.push({ id, kind, body });
        }
        return rows;
      }),
    remove: (rows) =>
      read((db) => {
        const statement = db.prepare("DELETE FROM outbox WHERE id = ?");
        inTransaction(db, () => rows.forEach(({ id }) => statement.run(id)));
      }),
    makeRoom: () => read((db) => dropOldest(db, service, maxBytes)),
    count: () =>
      read((db) => {
        const row = db.prepare("SELECT count(*) AS count FROM outbox WHERE service = ?").get(service);
        return Number(row?.["count"] ?? 0);
      }),
  };
}

function dropOldest(db: DatabaseSync, service: OutboxRow["service"], maxBytes: number): number {
  const sum = db.prepare("SELECT coalesce(sum(length(body)), 0) AS bytes FROM outbox WHERE service = ?");
  let bytes = Number(sum.get(service)?.["bytes"] ?? 0);
  if (bytes <= maxBytes) return 0;
  const oldest = db.prepare(
    "SELECT id, length(body) AS bytes FROM outbox WHERE service = ? ORDER BY kind = 'snapshot' DESC, id",
  );
  const ids: number[] = [];
  for (const row of oldest.iterate(service)) {
    if (bytes <= maxBytes * FILLED_AFTERWARDS) break;
    bytes -= Number(row["bytes"]);
    ids.push(Number(row["id"]));
  }
  const remove = db.prepare("DELETE FROM outbox WHERE id = ?");
  inTransaction(db, () => ids.forEach((id) => remove.run(id)));
  return ids.length;
}
