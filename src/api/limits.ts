/**
 * Every cap of the API but those of one request, which are in `request-limits.ts`. What a field may contain is limited by the
 * room that it goes to.
 */

/**
 * Milliseconds for one call, whatever longer time the client allows: less than the silence after which the server ends
 * a connection, so that the client is told.
 */
export const MAX_CALL_MS = 25_000;

/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** How long an answer is kept for its `Idempotency-Key`: `api.idempotency` of the documentation's limits. */
export const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;

/** Seconds in `Retry-After` where the refusal does not know better: an organization's limit is reached. */
export const RETRY_SECONDS = 60;

/** Between two deletions of answers whose time is over. */
export const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Seconds in `Retry-After` where too many streams are open. */
export const STREAM_RETRY_SECONDS = 5;
