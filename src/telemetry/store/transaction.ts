import type { DatabaseSync } from "node:sqlite";

/** Runs all of it or nothing. @throws what `run` throws */
export function inTransaction<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk or a damaged file may have ended the transaction already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
