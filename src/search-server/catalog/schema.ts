/**
 * The catalog's tables, as migrations: `PRAGMA user_version` counts those that ran. A released migration is
 * never edited; a change is a new one at the end.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE indexes (
    uid TEXT PRIMARY KEY,
    -- The name of its file beside the catalog.
    file TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    protocol TEXT NOT NULL,
    -- Why it is not served, and under which name its file was put aside; NULL while all is well.
    problem TEXT,
    setAside TEXT
  ) STRICT;

  -- AUTOINCREMENT never gives a number twice, not even after all tasks are deleted. The protocol counts from 0: uid = id - 1.
  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL,
    -- What is to be done; NULL when it is done. Large payloads are files.
    work TEXT,
    payload BLOB,
    payloadFile TEXT,
    payloadBytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX waitingTasks ON tasks (id) WHERE work IS NOT NULL;

  -- Files that an index was taken from and that are still to be removed.
  CREATE TABLE removals (file TEXT PRIMARY KEY) STRICT;

  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  `,
  `
  -- Dynamic search rules, as JSON.
  CREATE TABLE rules (uid TEXT PRIMARY KEY, rule TEXT NOT NULL) STRICT;
  `,
];
