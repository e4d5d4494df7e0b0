import type { DatabaseSync } from "node:sqlite";
import { startOfDay } from "../contract/days.ts";
import type { MissingReportRow } from "./report-types.ts";
import { all, daysOf, type Range } from "./range.ts";

const LIST_LENGTH = 500;
const ORIGINS_PER_ADDRESS = 10;

/** An address with fewer requests is shown to no one, unless a page of this site leads there: then no one typed it. */
const SHOWN_FROM = 3;

interface Counted {
  path: string;
  origin: string;
  count: number;
  lastDay: number;
}

/** Addresses without a page, the most requested first; requests without a name come last, as one row. */
export function readMissing(db: DatabaseSync, range: Range): MissingReportRow[] {
  const days = daysOf(range);
  const rows = all<Counted>(
    db,
    `SELECT substr(name, 1, instr(name || ' ', ' ') - 1) AS path, substr(name, instr(name || ' ', ' ') + 1) AS origin,
       sum(count) AS count, max(day) AS lastDay
     FROM counts WHERE kind = 'missing' AND day >= ? AND day < ? GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
    days.from,
    days.to,
  );
  const reported = [...Map.groupBy(rows, ({ path }) => path)].map(([path, counted]) => rowOf(path, counted));
  const named = reported.filter((row) => row.path !== "" && isShown(row));
  const unnamed = reported.filter((row) => row.path === "");
  return [...named.toSorted((a, b) => b.count - a.count).slice(0, LIST_LENGTH), ...unnamed];
}

const isShown = ({ count, from }: MissingReportRow) =>
  count >= SHOWN_FROM || from.some(({ name }) => name.startsWith("/"));

function rowOf(path: string, counted: readonly Counted[]): MissingReportRow {
  return {
    path,
    count: counted.reduce((sum, { count }) => sum + count, 0),
    lastDay: startOfDay(Math.max(...counted.map(({ lastDay }) => lastDay))),
    from: counted
      .filter(({ origin }) => origin !== "")
      .slice(0, ORIGINS_PER_ADDRESS)
      .map(({ origin, count }) => ({ name: origin, count })),
  };
}
