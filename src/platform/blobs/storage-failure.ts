/** What is wrong with the place where blobs or records are kept, as every protocol tells its client. */
import { describeDatabaseFailure } from "../database/database-away.ts";
import { SQLITE_FULL, sqliteCode } from "../database/sqlite-code.ts";
import { StoreAwayError } from "./byte-store.ts";

export interface StorageFailure {
  /** "full": nothing can be written until somebody makes room. "away": the same may work in a moment. */
  reason: "full" | "away";
  message: string;
}

/** No room on the disk, or none for this user; and PostgreSQL's `disk_full`. */
const FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);
/** Of the byte store, on a disk. */
const FILE_CALLS = new Set([
  "open",
  "write",
  "fsync",
  "rename",
  "mkdir",
  "read",
  "close",
  "unlink",
  "scandir",
]);

/** @returns undefined for what has another reason */
export function storageFailureOf(error: unknown): StorageFailure | undefined {
  const { code = "", syscall = "" } = (error ?? {}) as NodeJS.ErrnoException;
  if (FULL.has(code) || sqliteCode(error) === SQLITE_FULL)
    return {
      reason: "full",
      message:
        "the disk of the server is full, so it keeps nothing new: its operator has to free space, or lower MILLRACE_CACHE_QUOTA",
    };
  if (error instanceof StoreAwayError || FILE_CALLS.has(syscall))
    return { reason: "away", message: "the server cannot read or write its blobs at present" };
  const message = describeDatabaseFailure(error);
  return message === undefined ? undefined : { reason: "away", message };
}
