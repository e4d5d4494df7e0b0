import type { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../contract/days.ts";
import type { SearchReportRow } from "./report-types.ts";
import { all, daysOf, type Range } from "./range.ts";

const LIST_LENGTH = 500;

export const SEARCH_KINDS = ["top", "no-hits", "no-clicks"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Words with fewer searches than this, in all stored data, are shown to no one. */
export const SHOWN_FROM = 3;

/**
 * Readers' searches, most often first. `measured` and clicks are from readers who agreed to analytics; a search is "without
 * clicks" when it was measured and no one clicked.
 */
const statement = `
  WITH asked AS (
    SELECT name AS key, sum(count) FILTER (WHERE day >= :from AND day < :to) AS count,
      max(day) FILTER (WHERE day >= :from AND day < :to) AS lastDay
    FROM counts WHERE kind = 'search' AND name <> ''
    GROUP BY 1 HAVING sum(count) >= ${SHOWN_FROM} AND lastDay IS NOT NULL
  ),
  missed AS (
    SELECT name AS key, sum(count) AS withoutHits, max(day) AS lastDay
    FROM counts WHERE kind = 'search without hits' AND day >= :from AND day < :to GROUP BY 1
  ),
  agreed AS (
    SELECT lower(trim(json_extract(properties, '$.query'))) AS key, name,
      CAST(json_extract(properties, '$.position') AS REAL) AS position
    FROM events
    WHERE name IN ('search', 'search_click') AND source = 'posthog'
      AND at >= :from * ${DAY_MS} AND at < :to * ${DAY_MS}
  ),
  measured AS (
    SELECT key, sum(name = 'search') AS measured, sum(name = 'search_click') AS clicks,
      avg(CASE WHEN name = 'search_click' THEN position END) AS meanPosition
    FROM agreed WHERE key IS NOT NULL GROUP BY 1
  )
  SELECT asked.key AS query, asked.count, coalesce(withoutHits, 0) AS withoutHits, coalesce(measured, 0) AS measured,
    coalesce(clicks, 0) AS clicks, round(meanPosition, 2) AS meanPosition,
    asked.lastDay * ${DAY_MS} AS lastDay
  FROM asked LEFT JOIN missed ON missed.key = asked.key LEFT JOIN measured ON measured.key = asked.key
`;

const CONDITIONS: { [kind in SearchKind]: string } = {
  top: "",
  // The search had no hits on the last day on which it was made.
  "no-hits": "WHERE missed.lastDay = asked.lastDay",
  "no-clicks": "WHERE coalesce(withoutHits, 0) < asked.count AND measured > 0 AND coalesce(clicks, 0) = 0",
};

export function readSearches(
  db: DatabaseSync,
  { kind, ...range }: Range & { kind: SearchKind },
): SearchReportRow[] {
  const rows = db
    .prepare(
      `${statement} ${CONDITIONS[kind]} ORDER BY asked.count DESC, asked.lastDay DESC, query LIMIT ${LIST_LENGTH}`,
    )
    .all({ ...daysOf(range) });
  // The statement's columns are the row's.
  return rows as unknown as SearchReportRow[];
}

/** All searches of a reader's session, for the timeline of a recording. */
export function readSessionEvents(db: DatabaseSync, sessionId: string) {
  return all<{ at: number; name: string; path: string | null; properties: string }>(
    db,
    "SELECT at, name, path, properties FROM events WHERE sessionId = ? ORDER BY at LIMIT 5000",
    sessionId,
  );
}
