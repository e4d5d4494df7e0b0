import {
  type FailureAnswer,
  FAILURE_STATUS,
  type FailureReason,
  failureHeaders,
} from "#platform/http/failure.ts";

/** The API's names for them. */
const CODES: Partial<Record<FailureReason, string>> = {
  "not found": "not_found",
  "method not allowed": "unimplemented",
  "body too large": "resource_exhausted",
  "too many requests": "resource_exhausted",
  "no room": "unavailable",
  stopping: "unavailable",
  internal: "internal",
};

/** For callers of the API and of sign-in: `{"code": "…", "message": "…", "details": []}`. */
export const answerCallFailure: FailureAnswer = (context, failure) =>
  context.json(
    { code: CODES[failure.reason] ?? "invalid_argument", message: failure.message, details: [] },
    FAILURE_STATUS[failure.reason],
    failureHeaders(failure),
  );
