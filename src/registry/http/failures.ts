/** One table from errors to answers, in the form of OCI Distribution. */
import { Refused, type RefusalCode, TooManyRequestsError } from "#accounts/index.ts";
import { NoRoomError } from "#platform/grpc/message-room.ts";
import { storageFailureOf } from "#platform/blobs/storage-failure.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { BrokenOffError } from "#platform/http/node/take-body.ts";
import { RegistryError, type RegistryErrorCode } from "../contract/registry-error.ts";

export interface Failure {
  status: number;
  code: RegistryErrorCode | "UNKNOWN" | "UNAVAILABLE";
  message: string;
  detail?: unknown;
  headers: Readonly<Record<string, string>>;
}

const STATUSES: Readonly<Record<RegistryErrorCode, number>> = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 400,
  BLOB_UPLOAD_UNKNOWN: 404,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 404,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  SIZE_INVALID: 400,
  UNAUTHORIZED: 401,
  DENIED: 403,
  UNSUPPORTED: 405,
  TOOMANYREQUESTS: 429,
};

/** Refusals of the accounts' operations. */
const REFUSALS: Readonly<Record<RefusalCode, [number, Failure["code"]]>> = {
  invalid_argument: [400, "UNSUPPORTED"],
  failed_precondition: [400, "UNSUPPORTED"],
  already_exists: [400, "UNSUPPORTED"],
  unauthenticated: [401, "UNAUTHORIZED"],
  permission_denied: [403, "DENIED"],
  // An organization that is not the caller's.
  not_found: [404, "NAME_UNKNOWN"],
  resource_exhausted: [429, "TOOMANYREQUESTS"],
  unavailable: [503, "UNAVAILABLE"],
};

const RETRY_SECONDS = 5;
const retryAfter = (seconds = RETRY_SECONDS) => ({ "retry-after": String(seconds) });

/**
 * @param onError called with errors that the operator should know about
 * @throws BrokenOffError
 */
export function toFailure(error: unknown, onError: (error: unknown) => void): Failure {
  if (error instanceof BrokenOffError) throw error;
  if (error instanceof RegistryError) {
    const { code, message, detail, headers } = error;
    return {
      status: error.status ?? STATUSES[code],
      code,
      message,
      headers,
      ...(detail !== undefined && { detail }),
    };
  }
  if (error instanceof Refused) {
    const [status, code] = REFUSALS[error.code];
    return {
      status,
      code,
      message: error.message,
      headers: status === 429 || status === 503 ? retryAfter() : {},
    };
  }
  if (error instanceof TooManyRequestsError)
    return {
      status: 429,
      code: "TOOMANYREQUESTS",
      message: error.message,
      headers: retryAfter(error.seconds),
    };
  if (error instanceof UploadError)
    return error.reason === "digest"
      ? { status: 400, code: "DIGEST_INVALID", message: error.message, headers: {} }
      : { status: 413, code: "SIZE_INVALID", message: error.message, headers: {} };
  if (error instanceof NoRoomError)
    return { status: 503, code: "UNAVAILABLE", message: error.message, headers: retryAfter() };
  onError(error);
  const failure = storageFailureOf(error);
  if (failure?.reason === "full")
    return { status: 507, code: "UNAVAILABLE", message: failure.message, headers: {} };
  if (failure) return { status: 503, code: "UNAVAILABLE", message: failure.message, headers: retryAfter() };
  const message = "something went wrong on the server; its log says what";
  return { status: 500, code: "UNKNOWN", message, headers: {} };
}

export const bodyOf = ({ code, message, detail }: Failure): string =>
  JSON.stringify({ errors: [{ code, message, ...(detail !== undefined && { detail }) }] });
