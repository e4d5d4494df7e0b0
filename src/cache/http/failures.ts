/** One table from errors to answers. */
import { Refused, type RefusalCode, TooManyRequestsError } from "#accounts/index.ts";
import { storageFailureOf } from "#platform/blobs/storage-failure.ts";
import { NoRoomError } from "#platform/grpc/message-room.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { BrokenOffError } from "#platform/http/node/take-body.ts";
import { RETRY_SECONDS } from "./limits.ts";

/** An answer that reports a failure. */
export class CacheFailure extends Error {
  readonly status: number;
  /** The API's code. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    [status, code]: readonly [number, string],
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new CacheFailure([400, "invalid_argument"], message);
export const tooLarge = (message: string) => new CacheFailure([413, "resource_exhausted"], message);
export const nothingThere = (path: string) =>
  new CacheFailure([404, "not_found"], `there is nothing at ${path.slice(0, 200)}`);

const retryAfter = (seconds: number) => ({ "retry-after": String(seconds) });

/** Also for clients that send Basic credentials only after a challenge. */
const CHALLENGES = 'Bearer realm="millrace", Basic realm="millrace", charset="UTF-8"';

const STATUSES: Readonly<Record<RefusalCode, number>> = {
  invalid_argument: 400,
  failed_precondition: 400,
  already_exists: 400,
  unauthenticated: 401,
  permission_denied: 403,
  // 404 is a miss, and a tool would read it as one.
  not_found: 403,
  resource_exhausted: 429,
  unavailable: 503,
};

/**
 * @param onError called with errors that the operator should know about
 * @throws BrokenOffError
 */
export function toFailure(error: unknown, onError: (error: unknown) => void): CacheFailure {
  if (error instanceof CacheFailure) return error;
  if (error instanceof BrokenOffError) throw error;
  if (error instanceof Refused) return ofRefusal(error);
  if (error instanceof TooManyRequestsError)
    return new CacheFailure([429, "resource_exhausted"], error.message, retryAfter(error.seconds));
  if (error instanceof UploadError)
    return error.reason === "too large" ? tooLarge(error.message) : badRequest(error.message);
  if (error instanceof NoRoomError)
    return new CacheFailure([503, "unavailable"], error.message, retryAfter(RETRY_SECONDS));
  onError(error);
  const failure = storageFailureOf(error);
  if (failure?.reason === "full") return new CacheFailure([507, "resource_exhausted"], failure.message);
  if (failure) return new CacheFailure([503, "unavailable"], failure.message, retryAfter(RETRY_SECONDS));
  return new CacheFailure([500, "internal"], "something went wrong on the server; its log says what");
}

function ofRefusal({ code, message }: Refused): CacheFailure {
  const status = STATUSES[code];
  const headers = {
    ...(status === 401 && { "www-authenticate": CHALLENGES }),
    ...((status === 429 || status === 503) && retryAfter(RETRY_SECONDS)),
  };
  return new CacheFailure([status, status === 403 ? "permission_denied" : code], message, headers);
}
