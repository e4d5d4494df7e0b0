/** Tells a database that may answer in a moment, or whose disk is full, from a mistake in a statement. */
import { DiskFullError } from "../files/disk-space.ts";
import { isDiskFull, isPostgresDiskFull } from "./disk-full.ts";

/** Primary codes of SQLite: busy, locked, read-only, input or output, cannot open. */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 14]);
/** Classes of PostgreSQL: connection, rollback, resources, intervention; and read-only, of a stand-by. */
const POSTGRES_AWAY = /^(?:08|40|53|57)...$|^25006$/;
/** Rolled back because others changed the same rows at the same time: no serial order, or all waited in a circle. */
const POSTGRES_CONFLICTS = new Set<unknown>(["40001", "40P01"]);
/** ECONNREFUSED, ENOTFOUND, … of the system. */
const SYSTEM_ERROR = /^E[A-Z]+$/;
/** What the driver says without a code. */
const DRIVER_AWAY = /timeout|^Connection terminated|^Client has encountered/;
const MAX_DEPTH = 3;

/** Others have changed the same records at the same time, whenever it was tried. */
export class ConflictError extends Error {
  constructor(attempts: number, cause: unknown) {
    super(`Other requests changed the same records during each of ${attempts} attempts.`, { cause });
  }
}

/** Whether PostgreSQL has undone it because of others, so that it may work when it is begun again. */
export function isConflict(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  return ("code" in error && POSTGRES_CONFLICTS.has(error.code)) || isConflict(error.cause, depth + 1);
}

const DISK_FULL =
  "the disk of this server is full, so it stores nothing new: its operator must free space. Revoking, signing in and out, and deleting still work";
const POSTGRES_DISK_FULL =
  "the disk of this server's PostgreSQL is full, so it stores nothing new: its operator must free space there";

/**
 * Why the database has not done what it may do in a moment, or when its disk has room.
 * @returns for a client; undefined for an error that would come again
 */
export function describeDatabaseFailure(error: unknown): string | undefined {
  if (isConflict(error))
    return "too many other requests are changing the same records; try again in a moment";
  if (error instanceof DiskFullError) return error.message;
  if (isDiskFull(error)) return DISK_FULL;
  if (isPostgresDiskFull(error)) return POSTGRES_DISK_FULL;
  return isDatabaseAway(error) ? "the database does not respond; try again in a moment" : undefined;
}

function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  if ("errcode" in error) return SQLITE_AWAY.has(Number(error.errcode) & 0xff);
  const code = "code" in error ? String(error.code) : "";
  if (POSTGRES_AWAY.test(code) || SYSTEM_ERROR.test(code)) return true;
  if (code === "" && DRIVER_AWAY.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some((inner) => isDatabaseAway(inner, depth + 1));
  return isDatabaseAway(error.cause, depth + 1);
}
