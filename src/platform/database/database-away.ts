/** Distinguishes a database that is temporarily unavailable, or whose disk is full, from a wrong statement. */
import { DiskFullError } from "../files/disk-space.ts";
import { isDiskFull, isPostgresDiskFull } from "./disk-full.ts";

/** SQLite's primary codes: busy, locked, read-only, input or output, cannot open. */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 14]);
/** PostgreSQL's error classes: connection, rollback, resources, intervention; and read-only, from a standby. */
const POSTGRES_AWAY = /^(?:08|40|53|57)...$|^25006$/;
/** Rolled back because others changed the same rows at the same time: serialization failure or deadlock. */
const POSTGRES_CONFLICTS = new Set<unknown>(["40001", "40P01"]);
/** System errors: ECONNREFUSED, ENOTFOUND, … */
const SYSTEM_ERROR = /^E[A-Z]+$/;
/** Driver errors without a code. */
const DRIVER_AWAY = /timeout|^Connection terminated|^Client has encountered/;
const MAX_DEPTH = 3;

/** Others changed the same records at the same time, on every attempt. */
export class ConflictError extends Error {
  constructor(attempts: number, cause: unknown) {
    super(`Other requests changed the same records during each of ${attempts} attempts.`, { cause });
  }
}

/** Whether PostgreSQL rolled it back because of others, so that a retry may work. */
export function isConflict(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false;
  return ("code" in error && POSTGRES_CONFLICTS.has(error.code)) || isConflict(error.cause, depth + 1);
}

const DISK_FULL =
  "the disk of this server is full, so it stores nothing new: its operator must free space. Revoking, signing in and out, and deleting still work";
const POSTGRES_DISK_FULL =
  "the disk of this server's PostgreSQL is full, so it stores nothing new: its operator must free space there";

/**
 * Why the database failed, if a retry may work in a moment or once its disk has room.
 * @returns text for a client; undefined for an error that a retry would not avoid
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
