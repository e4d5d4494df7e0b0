/**
 * Every cap of the API but those of one request, which are in `request-limits.ts`. The room that a field goes to limits its
 * content.
 */

/**
 * Milliseconds for one call, whatever longer time the client allows: less than the silence after which the server ends a
 * connection, so that the client gets an answer.
 */
export const MAX_CALL_MS = 25_000;

/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** How long an answer is stored for its `Idempotency-Key`: `api.idempotency` of the documentation's limits. */
export const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/** Seconds in `Retry-After` for a refusal without its own value: an organization's limit is reached. */
export const RETRY_SECONDS = 60;

/** Interval of deletions of expired answers. */
export const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Seconds in `Retry-After` where too many streams are open. */
export const STREAM_RETRY_SECONDS = 5;
