/** Every cap of the helper for Go. Times are in milliseconds. */

/** Bytes of one request of Go without its body; the longest has about 250. */
export const MAX_LINE_BYTES = 64 * 1024;
/** Bytes of one output; what is larger than `MAX_ENTRY_BYTES` stays on this machine. */
export const MAX_BODY_BYTES = 1e12;
/** Actions that one look-up asks for; the protocol allows 1,000, of which few would come with their bytes. */
export const MAX_ACTIONS = 200;
/** Look-ups on their way. What is asked for meanwhile shares the next one. */
export const FINDS_AT_ONCE = 2;
/** Bytes of the answer to one look-up: the protocol has 4 MB of contents, and a line of text. */
export const MAX_FIND_BYTES = 8 * 1024 * 1024;
/** Bytes of one entry: `cache.entry` of the documentation's limits. */
export const MAX_ENTRY_BYTES = 2_000_000_000;
export const UPLOADS_AT_ONCE = 8;
/** Up to here a file is read at once for its upload. */
export const READ_AT_ONCE_BYTES = 256 * 1024;
export const CONNECTIONS = 16;
/** The server is taken to be away when nothing moves on a connection for so long. */
export const SILENCE_MS = 5_000;
/** For one request, and more for each byte: below 50 KB a second compiling is faster. */
export const REQUEST_MS = 15_000;
export const MS_PER_BYTE = 1 / 50;
/** Failures in a row after which the server is left alone. */
export const MAX_FAILURES = 3;
/** Tries of one upload while the server asks to wait, and the longest wait. */
export const MAX_TRIES = 3;
export const MAX_REST_MS = 30_000;
/** How long uploads may hold Go back after its work is done. */
export const FINISH_MS = 60_000;
/** An entry that no build asked for in so long leaves this machine, as from Go's own cache. */
export const UNUSED_MS = 5 * 24 * 60 * 60 * 1000;
/** How exactly the last use is known. */
export const USE_EXACT_MS = 60 * 60 * 1000;
export const TRIM_EVERY_MS = 24 * 60 * 60 * 1000;
/** How long one look for unused entries may take; the next one continues. */
export const TRIM_MS = 2_000;
