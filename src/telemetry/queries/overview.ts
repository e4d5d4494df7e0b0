import type { DatabaseSync } from "node:sqlite";
import { startOfDay } from "../contract/days.ts";
import type { OverviewReport } from "./report-types.ts";
import {
  count,
  countByDays,
  countByName,
  countBySteps,
  daysOf,
  first,
  type Range,
  stepsOf,
} from "./range.ts";

const LIST_LENGTH = 20;

export function readOverview(db: DatabaseSync, range: Range): OverviewReport {
  const { from, to } = range;
  const inRange = (table: string, condition = "1") =>
    count(db, `${table} WHERE ${condition} AND at >= ? AND at < ?`, from, to);
  const views = countByDays(db, "path", range);
  const searches = countByDays(db, "search", range);
  const errors = countBySteps(db, "errors WHERE 1", range);
  const days = daysOf(range);
  return {
    from,
    to,
    views: sum(views),
    searches: sum(searches),
    searchesWithoutHits: sum(countByDays(db, "search without hits", range)),
    visitors:
      first<{ count: number }>(
        db,
        "SELECT count(DISTINCT distinctId) AS count FROM events WHERE source = 'posthog' AND at >= ? AND at < ?",
        from,
        to,
      )?.count ?? 0,
    searchClicks: inRange("events", "name = 'search_click'"),
    feedback: { yes: inRange("feedback", "answer = 'yes'"), no: inRange("feedback", "answer = 'no'") },
    errors: sum(errors),
    recordings:
      first<{ count: number }>(
        db,
        "SELECT count(DISTINCT sessionId) AS count FROM snapshots WHERE at >= ? AND at < ?",
        from,
        to,
      )?.count ?? 0,
    series: stepsOf(range).map((at) => ({ at, errors: errors.get(at) ?? 0 })),
    days: Array.from({ length: days.to - days.from }, (_, index) => {
      const at = startOfDay(days.from + index);
      return { at, views: views.get(at) ?? 0, searches: searches.get(at) ?? 0 };
    }),
    referrers: countByName(db, "referrer", range, LIST_LENGTH).map(({ name, count }) => ({
      host: name,
      count,
    })),
    browsers: countByName(db, "browser", range, LIST_LENGTH),
  };
}

function sum(counts: Map<number, number>): number {
  return [...counts.values()].reduce((total, value) => total + value, 0);
}
