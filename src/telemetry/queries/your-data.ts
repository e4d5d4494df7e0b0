import type { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { inTransaction } from "#platform/database/open-sqlite.ts";
import { all } from "./range.ts";

/** Per answer, inflated. A reader with more gets the newest part. */
const MAX_EXPORT_BYTES = 50_000_000;

export interface ReaderData {
  events: unknown[];
  clickEvents: unknown[];
  recordings: unknown[];
  /** False when there is more data than one answer can hold. */
  isComplete: boolean;
}

/** Everything that is stored under the identifiers of one reader. */
export function exportReader(db: DatabaseSync, { ids }: { ids: readonly string[] }): ReaderData {
  const data: ReaderData = { events: [], clickEvents: [], recordings: [], isComplete: true };
  let bytes = 0;
  const isFull = (size: number) => {
    bytes += size;
    if (bytes > MAX_EXPORT_BYTES) data.isComplete = false;
    return bytes > MAX_EXPORT_BYTES;
  };
  for (const id of ids) {
    const events = db.prepare(
      "SELECT at, name, source, sessionId, windowId, path, properties FROM events WHERE distinctId = ? ORDER BY at DESC",
    );
    for (const { properties, source, ...event } of events.iterate(id)) {
      const text = String(properties);
      if (isFull(text.length + 200)) break;
      const list = source === "insights" ? data.clickEvents : data.events;
      list.push({ ...event, properties: JSON.parse(text) as unknown });
    }
    const snapshots = db.prepare(
      "SELECT at, sessionId, windowId, path, events FROM snapshots WHERE distinctId = ? ORDER BY at DESC",
    );
    for (const { events: part, ...snapshot } of snapshots.iterate(id)) {
      const json = gunzipSync(part as Uint8Array); // the column is a BLOB
      if (isFull(json.byteLength)) break;
      data.recordings.push({ ...snapshot, events: JSON.parse(json.toString()) as unknown });
    }
  }
  return data;
}

export interface ErasedCounts {
  events: number;
  clickEvents: number;
  recordings: number;
  /** Copies for services that were not sent yet. */
  waiting: number;
}

/** Deletes everything under the identifiers, including copies that wait to be forwarded; the journal is emptied too. */
export function eraseReader(db: DatabaseSync, { ids }: { ids: readonly string[] }): ErasedCounts {
  const erased: ErasedCounts = { events: 0, clickEvents: 0, recordings: 0, waiting: 0 };
  inTransaction(db, () => {
    const run = (sql: string, id: string) => Number(db.prepare(sql).run(id).changes);
    for (const id of ids) {
      erased.recordings += all(
        db,
        "SELECT DISTINCT sessionId FROM snapshots WHERE distinctId = ?",
        id,
      ).length;
      erased.clickEvents += run("DELETE FROM events WHERE source = 'insights' AND distinctId = ?", id);
      erased.events += run("DELETE FROM events WHERE distinctId = ?", id);
      run("DELETE FROM snapshots WHERE distinctId = ?", id);
      erased.waiting += run("DELETE FROM outbox WHERE distinctId = ?", id);
    }
  });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return erased;
}
