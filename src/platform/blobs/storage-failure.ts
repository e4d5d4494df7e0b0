/** A failure of the storage of blobs or records, as every protocol reports it to clients. */
import { describeDatabaseFailure } from "../database/database-away.ts";
import { isDiskFull, isPostgresDiskFull } from "../database/disk-full.ts";
import { StoreAwayError } from "./byte-store.ts";

export interface StorageFailure {
  /** "full": no writes until someone frees space. "away": a retry may work in a moment. */
  reason: "full" | "away";
  message: string;
}

/** Calls of the byte store on a disk. */
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

/** @returns undefined for other errors */
export function storageFailureOf(error: unknown): StorageFailure | undefined {
  const { syscall = "" } = (error ?? {}) as NodeJS.ErrnoException;
  const message = describeDatabaseFailure(error);
  if (message !== undefined && (isDiskFull(error) || isPostgresDiskFull(error)))
    return { reason: "full", message };
  if (error instanceof StoreAwayError || FILE_CALLS.has(syscall))
    return { reason: "away", message: "the server cannot read or write its blobs at present" };
  return message === undefined ? undefined : { reason: "away", message };
}
