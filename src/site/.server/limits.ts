/** Bounds of what a request to the site may ask for. */

/** Characters of path and query together; a longer address is answered 414. Those of the site's own links are below 200. */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/** Characters of `Accept`, `Accept-Encoding` and `If-None-Match` that are read; browsers send below 200. */
export const MAX_HEADER_LENGTH = 2 * 1024;
