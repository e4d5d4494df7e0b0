import type { DatabaseSync } from "node:sqlite";
import { budgetOf, KEPT_KINDS, type KeptKind } from "../contract/budgets.ts";
import { DAY_MS, startOfDay } from "../contract/days.ts";
import { COUNT_KINDS } from "./day-counts.ts";
import { AGING_TABLES } from "./schema.ts";
import { SWEPT } from "./swept.ts";

const ROWS_PER_STEP = 500;
/** Fewer rows when deleting for size, because parts of a recording are large. */
const ROWS_PER_SIZE_STEP = 50;
/** Pages of 4 KB given back to the disk in one step. */
const PAGES_PER_STEP = 500;
/** Deleting continues a little below the cap, so that the next row does not start it again. */
const SIZE_AFTERWARDS = 0.95;

export interface Retention {
  retentionDays: number;
  maxBytes: number;
}

/** Called with the number of rows that were deleted because there was too much. */
export type OnEvicted = (kind: KeptKind, rows: number) => void;

/**
 * One small transaction's worth of deleting; called until it returns false, with room for writes between two calls. First it
 * deletes rows that are too old, then rows beyond `maxBytes`, then it returns free pages to the disk.
 * @returns whether there is more to do.
 */
export function retentionStep(
  db: DatabaseSync,
  { retentionDays, maxBytes }: Retention,
  now: number,
  onEvicted: OnEvicted = () => {},
): boolean {
  const limit = now - retentionDays * DAY_MS;
  for (const table of AGING_TABLES) if (deleteOld(db, table, limit) > 0) return true;
  if (deleteDaysBefore(db, limit) > 0) return true;
  if (usedBytes(db) > maxBytes && deleteForSize(db, maxBytes, onEvicted)) return true;
  const free = Number(db.prepare("PRAGMA freelist_count").get()?.["freelist_count"] ?? 0);
  if (free < PAGES_PER_STEP) return false;
  db.exec(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`);
  return true;
}

function deleteOld(db: DatabaseSync, table: string, before: number): number {
  const { changes } = db
    .prepare(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE at < ? ORDER BY at LIMIT ${ROWS_PER_STEP})`,
    )
    .run(before);
  return Number(changes);
}

/** A day's counts are deleted as soon as its first hour is too old. */
function deleteDaysBefore(db: DatabaseSync, before: number): number {
  const statement = db.prepare("DELETE FROM counts WHERE kind = ? AND day < ?");
  const day = Math.ceil(before / DAY_MS);
  return COUNT_KINDS.reduce((sum, kind) => sum + Number(statement.run(kind, day).changes), 0);
}

const TABLES: { readonly [kind in KeptKind]: (typeof AGING_TABLES)[number] } = {
  recordings: "snapshots",
  events: "events",
  errors: "errors",
  feedback: "feedback",
};

/**
 * Deletes from the kind that fills most of its own budget, so that kinds within their budget stay. Counts stay: a day has at
 * most a few thousand.
 * @returns false when nothing is left.
 */
function deleteForSize(db: DatabaseSync, maxBytes: number, onEvicted: OnEvicted): boolean {
  for (let step = 0; step < 100 && usedBytes(db) > maxBytes * SIZE_AFTERWARDS; step++) {
    const fills = keptByKind(db).map(({ kind, bytes }) => ({ kind, fill: bytes / budgetOf(kind, maxBytes) }));
    const isDeleted = fills
      .toSorted((one, other) => other.fill - one.fill)
      .some(({ kind }) => {
        const deleted = deleteFirst(db, TABLES[kind]);
        if (deleted > 0) onEvicted(kind, deleted);
        return deleted > 0;
      });
    if (!isDeleted) return false;
  }
  return true;
}

/** In the order of arrival: the time is from the sender's clock, and the server's clock may be set back. */
function deleteFirst(db: DatabaseSync, table: string): number {
  const { changes } = db
    .prepare(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY id LIMIT ${ROWS_PER_SIZE_STEP})`,
    )
    .run();
  return Number(changes);
}

/** The approximate bytes of each kind. */
export function keptByKind(db: DatabaseSync): { kind: KeptKind; bytes: number }[] {
  const statement = db.prepare("SELECT bytes FROM kept WHERE tableName = ?");
  return KEPT_KINDS.map((kind) => ({ kind, bytes: Number(statement.get(TABLES[kind])?.["bytes"] ?? 0) }));
}

function oldestAt(db: DatabaseSync, table: string): number | null {
  const at = db.prepare(`SELECT min(at) AS at FROM ${table}`).get()?.["at"];
  return typeof at === "number" ? at : null;
}

/** Bytes of the database in use; the file may be larger until its free pages are returned. */
export function usedBytes(db: DatabaseSync): number {
  const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}

/** The time of the oldest row of any table; null in an empty database. */
export function oldestRowAt(db: DatabaseSync): number | null {
  const day = db.prepare("SELECT min(day) AS day FROM counts WHERE kind <> ?").get(SWEPT)?.["day"];
  const times = [
    ...AGING_TABLES.map((table) => oldestAt(db, table)),
    typeof day === "number" ? startOfDay(day) : null,
  ].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
}
