import { openOrReplaceSqlite, type OpenedSqlite } from "#platform/database/open-sqlite.ts";
import { migrations } from "./schema.ts";

/** How long a statement waits for another process that reads the catalog, such as a backup. */
const BUSY_MS = 2_000;

/** Acknowledged writes must survive a power cut too. */
const PRAGMAS = `
  PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA main.journal_mode = WAL; PRAGMA main.synchronous = FULL;
  -- Without it the journal keeps the size of its largest moment.
  PRAGMA main.journal_size_limit = 4194304; PRAGMA temp_store = MEMORY`;

/**
 * Opens the catalog for this process alone and makes or migrates its tables. A damaged file is set aside and
 * replaced by an empty one.
 * @param path null: in memory
 * @throws Error when another process has it open or a newer version wrote it; the system's error when it cannot be
 * written.
 */
export function openCatalogFile(path: string | null, now: Date): OpenedSqlite {
  return openOrReplaceSqlite({
    path,
    what: "the catalog of the indexes",
    migrations,
    pragmas: (path === null ? "" : holdAlone(path)) + PRAGMAS,
    isChecked: true,
    now,
  });
}

/**
 * Takes the catalog for this connection until it is closed: a second service on one folder gets an error
 * instead of both losing writes. The lock is on an empty database next to it, because others, such as a
 * backup, may read the catalog.
 */
function holdAlone(path: string): string {
  const lock = `${path}.lock`.replaceAll("'", "''");
  return `
    ATTACH DATABASE '${lock}' AS holder;
    PRAGMA holder.journal_mode = MEMORY; PRAGMA holder.locking_mode = EXCLUSIVE;
    BEGIN EXCLUSIVE; COMMIT;`;
}
