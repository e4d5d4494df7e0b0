import { findDifferences, listed } from "#platform/database/migrate.ts";
import type { Log } from "#platform/log/log.ts";
import { recordMigrations } from "./record-migrations.ts";
import type { RecordDatabase } from "./record-tables.ts";

/** Whether the tables match this release; reports once what is missing, and when it is back. */
export function watchTables(database: RecordDatabase, log: Log): () => Promise<boolean> {
  let told = "";
  return async () => {
    const differences = listed(await findDifferences(database, recordMigrations));
    if (differences !== told)
      if (differences === "") log.info("The database's tables match this release again.");
      else
        log.error(
          `The database's tables do not match this release: ${differences}. /readyz says "not ready" until they do: undo what was changed, or restore a backup.`,
        );
    told = differences;
    return differences === "";
  };
}
