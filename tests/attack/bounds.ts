/** What no attack may exceed. Times are reported, never asserted: a machine that does much else is not a bug. */

/**
 * CPU time of one thread in one stretch, in milliseconds, from which on it is no matter of the machine any more: work
 * grows faster than the request. What was found took 5,000 to 46,000.
 */
export const STUCK_CPU_MS = 1000;
/** Resident memory above that of the idle server, in bytes. */
export const MEMORY_BYTES = 300 * 1024 * 1024;
/** One answer that is made for its request, in bytes; built files are as large as they are. */
export const ANSWER_BYTES = 4 * 1024 * 1024;
/** How long an attacker waits for an answer, in milliseconds; longer is a hang. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** Requests of an attack are at most this large, in bytes. */
export const REQUEST_BYTES = 4 * 1024 * 1024;
