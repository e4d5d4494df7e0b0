import { openOrReplaceSqlite, type OpenedSqlite } from "#platform/database/open-sqlite.ts";
import { migrations } from "./schema.ts";

/**
 * Exclusive: a second service on one folder is told so instead of losing the writes of both. What was acknowledged survives
 * a power cut, too.
 */
const PRAGMAS = `
  PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  -- Without it the journal keeps the size of its largest moment.
  PRAGMA journal_size_limit = 4194304; PRAGMA temp_store = MEMORY`;

/**
 * Opens the catalog for this process alone, makes or migrates its tables. A damaged file is set aside, and an empty one
 * takes its place.
 * @param path null: in memory
 * @throws Error when another process has it or a newer version wrote it; the system's error when it cannot be written.
 */
export function openCatalogFile(path: string | null, now: Date): OpenedSqlite {
  return openOrReplaceSqlite({
    path,
    what: "the catalog of the indexes",
    migrations,
    pragmas: PRAGMAS,
    isChecked: true,
    now,
  });
}
