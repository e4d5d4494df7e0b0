import type { DatabaseSync } from "node:sqlite";
import type { ErrorFrame } from "../contract/types.ts";
import type { ErrorGroupReport, ErrorGroupRow } from "./report-types.ts";
import { all, countBySteps, first, type Range, stepsOf } from "./range.ts";

const LIST_LENGTH = 500;
const DETAIL_LENGTH = 20;

/** Groups seen in the range; `firstAt` and the releases cover all stored data. */
export function readErrors(db: DatabaseSync, range: Range): ErrorGroupRow[] {
  return groups(db, range, "1").map(toRow);
}

export function readError(
  db: DatabaseSync,
  { fingerprint, ...range }: Range & { fingerprint: string },
): ErrorGroupReport | null {
  const group = groups(db, range, "fingerprint = ?", fingerprint)[0] ?? outsideRange(db, fingerprint);
  if (!group) return null;
  const inGroup = (column: string, as: string) =>
    all<{ count: number }>(
      db,
      `SELECT ${column} AS ${as}, count(*) AS count FROM errors
       WHERE ${column} IS NOT NULL AND fingerprint = ? AND at >= ? AND at < ?
       GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${DETAIL_LENGTH}`,
      fingerprint,
      range.from,
      range.to,
    );
  const counts = countBySteps(db, "errors WHERE fingerprint = ?", range, fingerprint);
  return {
    ...toRow(group),
    frames: JSON.parse(group.frames) as ErrorFrame[],
    paths: inGroup("path", "path") as ErrorGroupReport["paths"],
    browsers: inGroup("browser", "name") as ErrorGroupReport["browsers"],
    series: stepsOf(range).map((at) => ({ at, count: counts.get(at) ?? 0 })),
  };
}

type Group = Omit<ErrorGroupRow, "releases"> & { releases: string | null; frames: string };

/** The last occurrence represents the group, because its frames are from the newest release. */
const groupColumns = (inRange: string) => `
  grouped.fingerprint, last.type, last.value, last.culprit, last.platform, last.frames, ${inRange}
  (SELECT min(at) FROM errors WHERE fingerprint = grouped.fingerprint) AS firstAt, grouped.lastAt,
  (SELECT json_group_array(release) FROM (
    SELECT release, max(at) AS at FROM errors
    WHERE fingerprint = grouped.fingerprint AND release IS NOT NULL GROUP BY release ORDER BY 2 LIMIT 50
  )) AS releases`;

const LAST_OF_GROUP = `
  JOIN errors AS last ON last.id = (
    SELECT id FROM errors WHERE fingerprint = grouped.fingerprint AND at = grouped.lastAt ORDER BY id DESC LIMIT 1
  )`;

function groups(db: DatabaseSync, { from, to }: Range, condition: string, ...values: string[]): Group[] {
  return all<Group>(
    db,
    `WITH grouped AS (
       SELECT fingerprint, count(*) AS count, max(at) AS lastAt FROM errors
       WHERE ${condition} AND at >= ? AND at < ? GROUP BY fingerprint
     )
     SELECT ${groupColumns("grouped.count,")} FROM grouped ${LAST_OF_GROUP}
     ORDER BY grouped.lastAt DESC LIMIT ${LIST_LENGTH}`,
    ...values,
    from,
    to,
  );
}

/** A link to an error must work after the range has moved. */
function outsideRange(db: DatabaseSync, fingerprint: string): Group | undefined {
  return first<Group>(
    db,
    `WITH grouped AS (SELECT fingerprint, max(at) AS lastAt FROM errors WHERE fingerprint = ? GROUP BY 1)
     SELECT ${groupColumns("0 AS count,")} FROM grouped ${LAST_OF_GROUP}`,
    fingerprint,
  );
}

function toRow(group: Group): ErrorGroupRow {
  const { fingerprint, type, value, culprit, platform, count, firstAt, lastAt, releases } = group;
  const names = JSON.parse(releases ?? "[]") as string[];
  return { fingerprint, type, value, culprit, platform, count, firstAt, lastAt, releases: names };
}
