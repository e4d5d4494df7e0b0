import type { FailureAnswer, FailureReason } from "#platform/http/failure.ts";
import { FAILURE_STATUS, failureHeaders } from "#platform/http/failure.ts";
import { ApiError } from "./errors.ts";

const CODES: { [reason in FailureReason]: string } = {
  "not found": "not_found",
  "method not allowed": "method_not_allowed",
  "body too slow": "payload_timeout",
  "body too large": "payload_too_large",
  "address too long": "bad_request",
  "too many requests": "too_many_requests",
  "broken off": "malformed_payload",
  internal: "internal",
  "no room": "too_many_search_requests",
  stopping: "search_unavailable",
};

/** What is refused before the protocol has seen it, in the protocol's form. */
export const answerSearchFailure: FailureAnswer = (context, failure) => {
  const error = new ApiError(CODES[failure.reason], failure.message);
  // With a key it would be about the key: there it is the right that is missing.
  const type = failure.reason === "too many requests" ? "system" : error.type;
  return context.json({ ...error.body(), type }, FAILURE_STATUS[failure.reason], failureHeaders(failure));
};
