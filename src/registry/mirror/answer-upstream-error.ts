/** What an upstream does not give, as this registry says it. */
import { Refused } from "#accounts/index.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { RegistryError } from "../registry-error.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The upstream has said that it is something else. */
export function asWrong(error: unknown): never {
  const isWrong =
    error instanceof UploadError ||
    (error instanceof RegistryError && /^(?:MANIFEST|DIGEST|SIZE)_INVALID$/.test(error.code));
  if (isWrong)
    throw new UpstreamError("away", `sent an invalid response: ${error.message}`, { cause: error });
  throw error;
}

/** Whether the upstream has not said anything of what was asked for. */
export const isAway = (error: unknown): error is Error =>
  (error instanceof Refused && error.code === "unavailable") ||
  (error instanceof RegistryError && error.code === "TOOMANYREQUESTS");

export function toAnswer(error: UpstreamError, host: string, key: string): Error {
  const message = `${host} ${error.message}`;
  const cause = error;
  if (error.problem === "missing")
    return new RegistryError(key.startsWith("blob ") ? "BLOB_UNKNOWN" : "MANIFEST_UNKNOWN", message, {
      cause,
    });
  if (error.problem === "refused") return new RegistryError("DENIED", message, { cause });
  if (error.problem === "busy")
    return new RegistryError("TOOMANYREQUESTS", `${message}; try again later`, {
      headers: { "retry-after": String(error.retrySeconds ?? 60) },
      cause,
    });
  return new Refused("unavailable", `${message}; try again later`, { cause });
}
