import { DiskFullError } from "../files/disk-space.ts";
import { SQLITE_FULL, sqliteCode } from "./sqlite-code.ts";

/** No space on the disk, or quota exceeded. */
const SYSTEM_FULL = new Set<unknown>(["ENOSPC", "EDQUOT"]);
/** SQLite could not extend its `-shm` file (https://sqlite.org/rescode.html#ioerr_shmsize). */
const SQLITE_IOERR_SHMSIZE = 4874;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_DISK_FULL = "53100";
const MAX_DEPTH = 3;

/** Whether the system or SQLite reports that this server's disk is full. */
export function isDiskFull(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  if (error instanceof DiskFullError || sqliteCode(error) === SQLITE_FULL) return true;
  if ("errcode" in error && error.errcode === SQLITE_IOERR_SHMSIZE) return true;
  return ("code" in error && SYSTEM_FULL.has(error.code)) || isDiskFull(error.cause, depth + 1);
}

/** Whether PostgreSQL reports that its own disk is full. */
export function isPostgresDiskFull(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  return ("code" in error && error.code === POSTGRES_DISK_FULL) || isPostgresDiskFull(error.cause, depth + 1);
}
