import type { FailureAnswer, FailureReason } from "#platform/http/failure.ts";
import { FAILURE_STATUS, failureHeaders } from "#platform/http/failure.ts";
import { ApiError } from "../protocol/errors.ts";

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

/** Answers refusals made before the request reaches the protocol, in the protocol's form. */
export const answerSearchFailure: FailureAnswer = (context, failure) => {
  const error = new ApiError(CODES[failure.reason], failure.message);
  // The type that this code has in the protocol, `auth`, would blame the key.
  const type = failure.reason === "too many requests" ? "system" : error.type;
  return context.json({ ...error.body(), type }, FAILURE_STATUS[failure.reason], failureHeaders(failure));
};
