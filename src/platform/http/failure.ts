/**
 * Answers to requests that never reach a room: one table of reasons and statuses. Each protocol turns a
 * reason into its own form in one function (`FailureAnswer`), so that refusing code need not know the protocol.
 */
import type { Context } from "hono";
import type { BodyProblem } from "./read-body.ts";

export const FAILURE_STATUS = {
  "not found": 404,
  "method not allowed": 405,
  "body too slow": 408,
  "body too large": 413,
  "address too long": 414,
  "too many requests": 429,
  "broken off": 400,
  internal: 500,
  "no room": 503,
  stopping: 503,
} as const;

export type FailureReason = keyof typeof FAILURE_STATUS;

/** For bodies that could not be read. */
export const BODY_FAILURE = {
  "too large": "body too large",
  "too slow": "body too slow",
  "broken off": "broken off",
} as const satisfies { [problem in BodyProblem]: FailureReason };

export interface Failure {
  reason: FailureReason;
  /** For the request's sender: what is wrong, and what to do about it. */
  message: string;
  /** For the header `Retry-After`. */
  retryAfterSeconds?: number;
  /** For the header `Allow`, with "method not allowed". */
  allow?: string;
}

/** A protocol's form of a failure. */
export type FailureAnswer = (context: Context, failure: Failure) => Response;

/** Not to be cached: the next request may succeed. */
export function failureHeaders({ retryAfterSeconds, allow }: Failure): Record<string, string> {
  return {
    "Cache-Control": "no-store",
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
    ...(allow !== undefined && { Allow: allow }),
  };
}

/** For people: pages, files, and all parts without their own form. */
export const answerAsText: FailureAnswer = (context, failure) =>
  context.text(`${failure.message}\n`, FAILURE_STATUS[failure.reason], failureHeaders(failure));

/** For programs: `{"message": "…"}`. */
export const answerAsJson: FailureAnswer = (context, failure) =>
  context.json({ message: failure.message }, FAILURE_STATUS[failure.reason], failureHeaders(failure));

/** `2 seconds`, `a second` */
export const inSeconds = (seconds: number): string => (seconds === 1 ? "a second" : `${seconds} seconds`);
