/**
 * The database's tables, as migrations: `PRAGMA user_version` counts those that ran. A migration is never edited after
 * it was released; a change is a new one at the end.
 */
export const migrations: readonly string[] = [
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
];

/** Tables whose rows grow old; all have `id` and `at`. */
export const agingTables = ["events", "snapshots", "errors", "views", "searches", "feedback"] as const;
