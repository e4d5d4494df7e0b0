/** Readers' searches of all stored days, and what readers who agreed to analytics did next. Pure reads. */
import type { DatabaseSync } from "node:sqlite";
import { all, type Range } from "./range.ts";
import type { NextStep, PastSearches } from "./report-types.ts";
import { SHOWN_FROM } from "./searches.ts";

/** Searches that are tried again with a change, most frequent first. */
const MAX_PAST_SEARCHES = 10_000;
/** Events that are read to find next steps, newest first. */
const MAX_EVENTS = 50_000;
/** Searches of one session that the same next step may answer. */
const MAX_PENDING = 5;
/** A click later than this is about something else. */
const NEXT_WITHIN_MS = 5 * 60_000;
/** Steps are shown only if as many readers made them as searches need to be shown. */
const READERS_FROM = SHOWN_FROM;
const MAX_STEPS = 2000;

/** Every different search that operators may see, with the number of times it was made. */
export function readPastSearches(db: DatabaseSync): PastSearches {
  const rows = all<{ query: string; count: number; kept: number }>(
    db,
    `SELECT name AS query, sum(count) AS count, count(*) OVER () AS kept FROM counts
     WHERE kind = 'search' AND name <> '' GROUP BY 1 HAVING sum(count) >= ${SHOWN_FROM}
     ORDER BY 2 DESC, 1 LIMIT ${MAX_PAST_SEARCHES}`,
  );
  return { kept: rows[0]?.kept ?? 0, searches: rows.map(({ query, count }) => ({ query, count })) };
}

interface EventRow {
  at: number;
  name: string;
  sessionId: string;
  distinctId: string;
  query: string | null;
  path: string | null;
}

interface Pending {
  query: string;
  at: number;
}

/**
 * After a search, the same session's next clicked hit (with the words that found it), or the next page that was opened.
 *
 *     search "kubernets" · search "kubernetes" · click /docs/registry/overview/kubernetes
 *     → { query: "kubernets", next: "kubernetes", path: "/docs/registry/overview/kubernetes", readers: 3 }
 *
 * One pass over the events, so that a session with many of them costs no more than many sessions.
 */
export function readNextSteps(db: DatabaseSync, range: Range): NextStep[] {
  const pendingOf = new Map<string, Pending[]>();
  const readersOf = new Map<string, { step: Omit<NextStep, "readers">; readers: Set<string> }>();
  for (const event of readEvents(db, range)) {
    const pending = (pendingOf.get(event.sessionId) ?? []).filter(({ at }) => event.at - at < NEXT_WITHIN_MS);
    if (event.name === "search") {
      if (event.query) pending.push({ query: event.query, at: event.at });
      pendingOf.set(event.sessionId, pending.slice(-MAX_PENDING));
      continue;
    }
    pendingOf.delete(event.sessionId);
    const { path } = event;
    if (path === null || !path.startsWith("/docs")) continue;
    const next = event.name === "search_click" ? event.query : null;
    for (const { query } of pending) {
      if (query === next) continue;
      const key = JSON.stringify([query, next, path]);
      const known = readersOf.get(key) ?? { step: { query, next, path }, readers: new Set() };
      known.readers.add(event.distinctId);
      readersOf.set(key, known);
    }
  }
  return [...readersOf.values()]
    .map(({ step, readers }) => ({ ...step, readers: readers.size }))
    .filter(({ readers }) => readers >= READERS_FROM)
    .sort((one, other) => other.readers - one.readers)
    .slice(0, MAX_STEPS);
}

function readEvents(db: DatabaseSync, { from, to }: Range): EventRow[] {
  return all<EventRow>(
    db,
    `SELECT at, name, sessionId, distinctId, lower(trim(json_extract(properties, '$.query'))) AS query,
       CASE WHEN name = 'search_click' THEN json_extract(properties, '$.url') ELSE path END AS path
     FROM events
     WHERE name IN ('search', 'search_click', '$pageview') AND source = 'posthog' AND sessionId IS NOT NULL
       AND at >= ? AND at < ?
     ORDER BY at DESC, id DESC LIMIT ${MAX_EVENTS}`,
    from,
    to,
  ).toReversed();
}
