import { SQLITE_FULL, sqliteCode } from "./sqlite-code.ts";

/** Whether the system, or SQLite, says so. */
export function isDiskFull(error: unknown): boolean {
  if (sqliteCode(error) === SQLITE_FULL) return true;
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}
