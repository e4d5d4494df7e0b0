/** What is wrong with the place where blobs or records are kept, as every protocol tells its client. */
import { describeDatabaseFailure } from "../database/database-away.ts";
import { isDiskFull, isPostgresDiskFull } from "../database/disk-full.ts";
import { StoreAwayError } from "./byte-store.ts";

export interface StorageFailure {
  /** "full": nothing can be written until somebody makes room. "away": the same may work in a moment. */
  reason: "full" | "away";
  message: string;
}

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
  const { syscall = "" } = (error ?? {}) as NodeJS.ErrnoException;
  const message = describeDatabaseFailure(error);
  if (message !== undefined && (isDiskFull(error) || isPostgresDiskFull(error)))
    return { reason: "full", message };
  if (error instanceof StoreAwayError || FILE_CALLS.has(syscall))
    return { reason: "away", message: "the server cannot read or write its blobs at present" };
  return message === undefined ? undefined : { reason: "away", message };
}
