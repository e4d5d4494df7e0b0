import type { DatabaseSync } from "node:sqlite";
import type { OverviewReport } from "../report-types.ts";
import { all, count, countBySteps, first, type Range, stepsOf } from "./range.ts";

const listLength = 20;

export function readOverview(db: DatabaseSync, range: Range): OverviewReport {
  const { from, to } = range;
  const inRange = (table: string, condition = "1") =>
    count(db, `${table} WHERE ${condition} AND at >= ? AND at < ?`, from, to);
  const views = countBySteps(db, "views WHERE browser <> 'bot'", range);
  const searches = countBySteps(db, "searches WHERE 1", range);
  const errors = countBySteps(db, "errors WHERE 1", range);
  return {
    from,
    to,
    views: sum(views),
    searches: sum(searches),
    searchesWithoutHits: inRange("searches", "hits = 0"),
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
    series: stepsOf(range).map((at) => ({
      at,
      views: views.get(at) ?? 0,
      searches: searches.get(at) ?? 0,
      errors: errors.get(at) ?? 0,
    })),
    referrers: all(
      db,
      `SELECT referrer AS host, count(*) AS count FROM views
       WHERE referrer IS NOT NULL AND browser <> 'bot' AND at >= ? AND at < ?
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${listLength}`,
      from,
      to,
    ),
    browsers: all(
      db,
      `SELECT browser AS name, count(*) AS count FROM views WHERE at >= ? AND at < ?
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${listLength}`,
      from,
      to,
    ),
  };
}

function sum(counts: Map<number, number>): number {
  return [...counts.values()].reduce((total, value) => total + value, 0);
}
