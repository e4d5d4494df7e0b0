/** An upstream's failures, as this registry reports them. */
import { Refused } from "#accounts/index.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { RegistryError } from "../../contract/registry-error.ts";
import { UpstreamError } from "../upstream/errors.ts";

/** The upstream sent something other than it announced. */
export function asWrong(error: unknown): never {
  const isWrong =
    error instanceof UploadError ||
    (error instanceof RegistryError && /^(?:MANIFEST|DIGEST|SIZE)_INVALID$/.test(error.code));
  if (isWrong)
    throw new UpstreamError("away", `sent an invalid response: ${error.message}`, { cause: error });
  throw error;
}

/** Whether the upstream gave no answer about the requested content. */
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
