/**
 * The database's tables, as migrations: `PRAGMA user_version` counts the migrations that ran. A released migration is never
 * edited; a change is a new one at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    distinctId TEXT NOT NULL,
    sessionId TEXT,
    windowId TEXT,
    path TEXT,
    properties TEXT NOT NULL
  ) STRICT;
  CREATE INDEX eventsByTime ON events (at);
  CREATE INDEX eventsByName ON events (name, at);
  CREATE INDEX eventsByReader ON events (distinctId);
  CREATE INDEX eventsBySession ON events (sessionId, at);

  CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    sessionId TEXT NOT NULL,
    windowId TEXT NOT NULL,
    distinctId TEXT NOT NULL,
    path TEXT,
    startedAt INTEGER NOT NULL,
    endedAt INTEGER NOT NULL,
    events BLOB NOT NULL
  ) STRICT;
  CREATE INDEX snapshotsByTime ON snapshots (at);
  CREATE INDEX snapshotsBySession ON snapshots (sessionId, startedAt);
  CREATE INDEX snapshotsByReader ON snapshots (distinctId);

  CREATE TABLE errors (
    id INTEGER PRIMARY KEY,
    eventId TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    platform TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    type TEXT NOT NULL,
    value TEXT NOT NULL,
    culprit TEXT NOT NULL,
    release TEXT,
    environment TEXT,
    path TEXT,
    browser TEXT,
    frames TEXT NOT NULL
  ) STRICT;
  CREATE INDEX errorsByTime ON errors (at);
  CREATE INDEX errorsByGroup ON errors (fingerprint, at);

  CREATE TABLE views (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    path TEXT NOT NULL,
    referrer TEXT,
    browser TEXT NOT NULL
  ) STRICT;
  CREATE INDEX viewsByTime ON views (at);

  CREATE TABLE searches (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    query TEXT NOT NULL,
    hits INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX searchesByTime ON searches (at);

  CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    path TEXT NOT NULL,
    answer TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX feedbackByTime ON feedback (at);

  -- What waits for a service, in the order of id.
  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    distinctId TEXT,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX outboxByService ON outbox (service, id);
  CREATE INDEX outboxByReader ON outbox (distinctId);
  `,
  // Views and searches of readers who had not answered were stored one by one, with their time and as typed, and error
  // reports as sent: only their number is carried over (decisions/011).
  `
  CREATE TABLE counts (
    kind TEXT NOT NULL,
    day INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, day, name)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO counts
    SELECT 'path', at / 86400000, path, count(*) FROM views WHERE browser <> 'bot' GROUP BY 2, 3;
  INSERT INTO counts
    SELECT 'referrer', at / 86400000, referrer, count(*) FROM views
    WHERE browser <> 'bot' AND referrer IS NOT NULL GROUP BY 2, 3;
  INSERT INTO counts SELECT 'browser', at / 86400000, browser, count(*) FROM views GROUP BY 2, 3;
  INSERT INTO counts SELECT 'search', at / 86400000, '', count(*) FROM searches GROUP BY 2;
  INSERT INTO counts SELECT 'search without hits', at / 86400000, '', count(*) FROM searches WHERE hits = 0 GROUP BY 2;
  DROP TABLE views;
  DROP TABLE searches;
  DELETE FROM errors;
  DELETE FROM outbox WHERE kind = 'error';
  `,
  // The bytes of each table, so that deleting for size need not read all rows.
  `
  CREATE TABLE kept (tableName TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  ${[
    countBytes("events", ["uuid", "name", "distinctId", "sessionId"], ["windowId", "path", "properties"]),
    countBytes("snapshots", ["uuid", "sessionId", "distinctId"], ["windowId", "path", "events"]),
    countBytes(
      "errors",
      ["eventId", "fingerprint"],
      ["type", "value", "culprit", "release", "path", "frames"],
    ),
    countBytes("feedback", [], ["path", "text"]),
  ].join("")}
  `,
];

/** Part of a released migration. @param indexed columns that are also in an index */
function countBytes(table: string, indexed: string[], others: string[]): string {
  const sizeIn = (row: string) =>
    [...indexed, ...indexed, ...others].reduce(
      (sum, column) => `${sum} + coalesce(octet_length(${row}${column}), 0)`,
      "150",
    );
  return `
  INSERT INTO kept SELECT '${table}', coalesce(sum(${sizeIn("")}), 0) FROM ${table};
  CREATE TRIGGER ${table}Added AFTER INSERT ON ${table} BEGIN
    UPDATE kept SET bytes = bytes + (${sizeIn("new.")}) WHERE tableName = '${table}';
  END;
  CREATE TRIGGER ${table}Deleted AFTER DELETE ON ${table} BEGIN
    UPDATE kept SET bytes = bytes - (${sizeIn("old.")}) WHERE tableName = '${table}';
  END;
  `;
}

/** Tables whose rows expire; all have `id` and `at`. Counts by day are in `counts`. */
export const AGING_TABLES = ["events", "snapshots", "errors", "feedback"] as const;
