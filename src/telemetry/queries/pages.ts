import type { DatabaseSync } from "node:sqlite";
import type { PageReportRow } from "./report-types.ts";
import { all, daysOf, type Range } from "./range.ts";

const LIST_LENGTH = 500;
const COMMENTS_PER_PAGE = 20;

export function readPages(db: DatabaseSync, { from, to }: Range): PageReportRow[] {
  const days = daysOf({ from, to });
  const rows = all<Omit<PageReportRow, "comments">>(
    db,
    `WITH counted AS (
       SELECT name AS path, count AS views, 0 AS yes, 0 AS no, 0 AS exits FROM counts
         WHERE kind = 'path' AND name <> '' AND day >= ?3 AND day < ?4
       UNION ALL SELECT path, 0, answer = 'yes', answer = 'no', 0 FROM feedback WHERE at >= ?1 AND at < ?2
       UNION ALL SELECT path, 0, 0, 0, 1 FROM events
         WHERE name = 'search' AND path IS NOT NULL AND at >= ?1 AND at < ?2
     )
     SELECT path, sum(views) AS views, sum(yes) AS yes, sum(no) AS no, sum(exits) AS exitsToSearch
     FROM counted GROUP BY path ORDER BY views DESC, path LIMIT ${LIST_LENGTH}`,
    from,
    to,
    days.from,
    days.to,
  );
  const comments = db.prepare(
    `SELECT at, answer, text FROM feedback WHERE path = ? AND text <> '' AND at >= ? AND at < ?
     ORDER BY at DESC LIMIT ${COMMENTS_PER_PAGE}`,
  );
  return rows.map((row) => ({
    ...row,
    comments: (row.yes + row.no > 0 ? comments.all(row.path, from, to) : []) as PageReportRow["comments"], // the statement's columns
  }));
}
