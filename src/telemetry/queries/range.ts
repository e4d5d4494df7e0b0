import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { DAY_MS } from "../contract/days.ts";
import type { CountKind } from "../store/day-counts.ts";

/** Milliseconds since 1970; `to` is excluded. */
export interface Range {
  from: number;
  to: number;
}

const HOUR = 3_600_000;
const day = DAY_MS;

/** The days that begin in a range. Adjoining ranges share no day, and the current day is included. `to` is excluded. */
export function daysOf({ from, to }: Range): Range {
  return { from: Math.ceil(from / day), to: Math.ceil(to / day) };
}

/** The length of a report's steps: hours up to two days, otherwise days. */
function stepOf({ from, to }: Range): number {
  return to - from <= 2 * day ? HOUR : day;
}

/** The start of each step of a range. */
export function stepsOf(range: Range): number[] {
  const step = stepOf(range);
  const steps: number[] = [];
  for (let at = Math.floor(range.from / step) * step; at < range.to; at += step) steps.push(at);
  return steps;
}

/** Rows of a table by step: start of the step → count. */
export function countBySteps(
  db: DatabaseSync,
  from: string,
  range: Range,
  ...values: SQLInputValue[]
): Map<number, number> {
  const step = stepOf(range);
  const rows = all<{ step: number; count: number }>(
    db,
    `SELECT (at / ${step}) * ${step} AS step, count(*) AS count FROM ${from} AND at >= ? AND at < ? GROUP BY 1`,
    ...values,
    range.from,
    range.to,
  );
  return new Map(rows.map((row) => [row.step, row.count]));
}

/** Counts of a kind, by the start of the day. */
export function countByDays(db: DatabaseSync, kind: CountKind, range: Range): Map<number, number> {
  const { from, to } = daysOf(range);
  const rows = all<{ at: number; count: number }>(
    db,
    `SELECT day * ${day} AS at, sum(count) AS count FROM counts WHERE kind = ? AND day >= ? AND day < ? GROUP BY 1`,
    kind,
    from,
    to,
  );
  return new Map(rows.map((row) => [row.at, row.count]));
}

/** The most counted names of a kind. */
export function countByName(
  db: DatabaseSync,
  kind: CountKind,
  range: Range,
  most: number,
): { name: string; count: number }[] {
  const { from, to } = daysOf(range);
  return all(
    db,
    `SELECT name, sum(count) AS count FROM counts WHERE kind = ? AND name <> '' AND day >= ? AND day < ?
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${most}`,
    kind,
    from,
    to,
  );
}

/** All rows of a statement; the type names the columns that the statement selects. */
export function all<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] {
  return db.prepare(sql).all(...values) as Row[];
}

export function first<Row>(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row | undefined {
  return db.prepare(sql).get(...values) as Row | undefined;
}

export function count(db: DatabaseSync, sql: string, ...values: SQLInputValue[]): number {
  return first<{ count: number }>(db, `SELECT count(*) AS count FROM ${sql}`, ...values)?.count ?? 0;
}
