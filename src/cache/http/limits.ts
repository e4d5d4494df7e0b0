/** Caps of the cache's requests over HTTP; those of entries are in `../contract/limits.ts`. */

/** Characters of an address with its query. Maven's longest have about 250. */
export const MAX_ADDRESS_LENGTH = 2048;
/** Bytes of a body that is read as a whole: a query for many entries, or a WebDAV request. */
export const MAX_QUESTION_BYTES = 256 * 1024;
/** Seconds in `Retry-After` unless a better value is known. */
export const RETRY_SECONDS = 5;
