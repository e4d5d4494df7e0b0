/** Caps of the cache's requests over HTTP; those of entries are in `../limits.ts`. */

/** Characters of an address with its query. Maven's longest have about 250. */
export const MAX_ADDRESS_LENGTH = 2048;
/** Bytes of a body that is read as a whole: a question about many entries, or what WebDAV asks. */
export const MAX_QUESTION_BYTES = 256 * 1024;
/** Bytes of a refused body that are read and dropped, so that its sender reads the answer, and how long that may take. */
export const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
export const DROP_MS = 5_000;
/** Seconds in `Retry-After` where nothing better is known. */
export const RETRY_SECONDS = 5;
/** Milliseconds that an upload may wait for the disk. */
export const DISK_MS = 10 * 60 * 1000;
