/** Every cap of the helper for Go. Times are in milliseconds. */

/** Bytes of one request of Go without its body; the longest has about 250. */
export const MAX_LINE_BYTES = 64 * 1024;
/** Bytes of one output; outputs larger than `MAX_ENTRY_BYTES` stay on this machine. */
export const MAX_BODY_BYTES = 1e12;
/** Actions of one look-up; the protocol allows 1,000, but the answer would include the bytes of only a few. */
export const MAX_ACTIONS = 200;
/** Concurrent look-ups. Later actions share the next look-up. */
export const FINDS_AT_ONCE = 2;
/** Bytes of the answer to one look-up: the protocol allows 4 MB of contents, and a line of text. */
export const MAX_FIND_BYTES = 8 * 1024 * 1024;
/** Bytes of one entry: `cache.entry` of the documentation's limits. */
export const MAX_ENTRY_BYTES = 2_000_000_000;
export const UPLOADS_AT_ONCE = 8;
/** Files up to this size are read whole for their upload. */
export const READ_AT_ONCE_BYTES = 256 * 1024;
export const CONNECTIONS = 16;
/** The server counts as down if nothing moves on a connection for this long. */
export const SILENCE_MS = 5_000;
/** The limit of one request, plus a time for each byte: below 50 KB per second, compiling is faster. */
export const REQUEST_MS = 15_000;
export const MS_PER_BYTE = 1 / 50;
/** Consecutive failures after which the server is no longer used. */
export const MAX_FAILURES = 3;
/** Attempts at one upload while the server asks to wait, and the longest wait. */
export const MAX_TRIES = 3;
export const MAX_REST_MS = 30_000;
/** How long uploads may delay Go after its work is done. */
export const FINISH_MS = 60_000;
/** Entries unused for this long are removed from this machine, as in Go's own cache. */
export const UNUSED_MS = 5 * 24 * 60 * 60 * 1000;
/** The precision of the last use. */
export const USE_EXACT_MS = 60 * 60 * 1000;
export const TRIM_EVERY_MS = 24 * 60 * 60 * 1000;
/** How long one search for unused entries may take; the next one continues. */
export const TRIM_MS = 2_000;
