/** Caps of the access log and of its simulations. */

/** One in this many keys is logged, always the same ones. */
export const SAMPLED_OF = 8;
export const KEPT_MS = 14 * 24 * 60 * 60 * 1000;
/** Logged requests of one namespace, 12 bytes each; the oldest are removed. */
export const MAX_RECORDS = 500_000;
/** Requests that wait to be written, of all namespaces; more are not logged. */
export const MAX_WAITING = 200_000;
/** How often they are written, in milliseconds. `kill -9` loses the requests of this time. */
export const FLUSH_EVERY_MS = 60_000;
/** Milliseconds of simulation after which other requests have their turn. */
export const SLICE_MS = 8;
/** How long an answer is reused, in milliseconds. */
export const ANSWER_AGE_MS = 5 * 60 * 1000;
/** Answers that are remembered. */
export const MAX_ANSWERS = 1_000;
/** The quotas that are simulated in addition to the present one. */
export const SIMULATED_BYTES: readonly number[] = [25_000_000_000, 50_000_000_000, 100_000_000_000];
/** Rows of the log in one query. */
export const ROWS_AT_ONCE = 50;
