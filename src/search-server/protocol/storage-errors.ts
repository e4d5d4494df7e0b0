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
      "The disk of this server is full: nothing was stored. Free some space, then send the request again.",
      { cause },
    );
  }
  if ("syscall" in cause || sqliteCode(cause) !== 0) {
    return new ApiError(
      "storage_unavailable",
      `The disk of this server refused the write (${code === "ERR_SQLITE_ERROR" ? cause.message : code}): nothing was stored. Send the request again later.`,
      { cause, retryAfterSeconds: 5 },
    );
  }
  return cause;
}
