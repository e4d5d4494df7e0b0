import type { DatabaseSync } from "node:sqlite";
import type { SearchReportRow } from "../report-types.ts";
import { all, type Range } from "./range.ts";

const listLength = 500;

export const searchKinds = ["top", "no-hits", "no-clicks"] as const;
export type SearchKind = (typeof searchKinds)[number];

/**
 * What readers searched, most often first. `measured` and clicks are of those who agreed to analytics; a search is "without
 * clicks" when it was measured and nobody clicked.
 */
const statement = `
  WITH asked AS (
    SELECT lower(query) AS key, count(*) AS count, sum(hits = 0) AS withoutHits, max(at) AS lastAt
    FROM searches WHERE at >= :from AND at < :to GROUP BY 1
  ),
  agreed AS (
    SELECT lower(trim(json_extract(properties, '$.query'))) AS key, name,
      CAST(json_extract(properties, '$.position') AS REAL) AS position
    FROM events
    WHERE name IN ('search', 'search_click') AND source = 'posthog' AND at >= :from AND at < :to
  ),
  measured AS (
    SELECT key, sum(name = 'search') AS measured, sum(name = 'search_click') AS clicks,
      avg(CASE WHEN name = 'search_click' THEN position END) AS meanPosition
    FROM agreed WHERE key IS NOT NULL GROUP BY 1
  )
  SELECT last.query, asked.count, asked.withoutHits, last.hits, coalesce(measured, 0) AS measured,
    coalesce(clicks, 0) AS clicks, round(meanPosition, 2) AS meanPosition, asked.lastAt
  FROM asked
  JOIN searches AS last ON last.id = (
    SELECT id FROM searches WHERE at = asked.lastAt AND lower(query) = asked.key ORDER BY id DESC LIMIT 1
  )
  LEFT JOIN measured ON measured.key = asked.key
`;

const conditions: { [kind in SearchKind]: string } = {
  top: "",
  "no-hits": "WHERE last.hits = 0",
  "no-clicks": "WHERE last.hits > 0 AND measured > 0 AND coalesce(clicks, 0) = 0",
};

export function readSearches(
  db: DatabaseSync,
  { from, to, kind }: Range & { kind: SearchKind },
): SearchReportRow[] {
  const rows = db
    .prepare(
      `${statement} ${conditions[kind]} ORDER BY asked.count DESC, asked.lastAt DESC LIMIT ${listLength}`,
    )
    .all({ from, to });
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
