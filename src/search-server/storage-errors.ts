import { sqliteCode, SQLITE_FULL } from "#platform/database/sqlite-code.ts";
import { ApiError } from "./errors.ts";

const NO_SPACE = ["ENOSPC", "EDQUOT"];

/** Turns a disk failure into an error for the client; other errors stay as they are. */
export function asStorageError(cause: unknown): unknown {
  if (cause instanceof ApiError || !(cause instanceof Error)) return cause;
  const code = "code" in cause ? String(cause.code) : "";
  if (NO_SPACE.includes(code) || sqliteCode(cause) === SQLITE_FULL) {
    return new ApiError(
      "no_space_left_on_device",
      "The disk of this server is full: nothing of this was taken. Free some space, then send it again.",
      { cause },
    );
  }
  if ("syscall" in cause || sqliteCode(cause) !== 0) {
    return new ApiError(
      "storage_unavailable",
      `The disk of this server refused the write (${code === "ERR_SQLITE_ERROR" ? cause.message : code}): nothing of this was taken. Send it again later.`,
      { cause, retryAfterSeconds: 5 },
    );
  }
  return cause;
}
