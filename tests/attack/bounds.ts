/** Limits that no attack may exceed. Times are reported, never asserted: a busy machine is not a bug. */

/**
 * CPU time of one thread in one stretch, in milliseconds, that the machine can no longer explain: work grows
 * faster than the request. Bugs that were found took 5,000 to 46,000.
 */
export const STUCK_CPU_MS = 1000;
/** Resident memory above that of the idle server, in bytes. */
export const MEMORY_BYTES = 300 * 1024 * 1024;
/** Bytes of one answer made for its request; built files may have any size. */
export const ANSWER_BYTES = 4 * 1024 * 1024;
/** How long an attacker waits for an answer, in milliseconds; longer is a hang. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** Requests of an attack are at most this large, in bytes. */
export const REQUEST_BYTES = 4 * 1024 * 1024;
