/**
 * The protocol between `millrace gocache` and the server. An action (64 hexadecimal digits) has one output: an id that Go
 * chose (64 hexadecimal digits), bytes, and the time at which it was made.
 *
 *   GET  /cache/gocache/<action>          200, the bytes; `Content-Length`, `x-output-id`, `x-time` · 404: a miss
 *   HEAD /cache/gocache/<action>          the same without the bytes
 *   PUT  /cache/gocache/<action>          the bytes; `x-output-id`, `x-time` are required · 201 when it is durable
 *   POST /cache/gocache/find              many at once
 *
 * `x-time` is a number of nanoseconds since 1970, in decimal digits.
 *
 * Many at once: the request is JSON with at most 1,000 actions, the answer (200) is one line of JSON, a line feed, then the
 * bytes of all entries with `"inline": true`, one after the other in the order of the line, `size` bytes each:
 *
 *   > {"actions":["0a1b…","77c2…","9d00…"]}
 *   < {"entries":[{"action":"0a1b…","output":"55fe…","size":5,"time":"1764000000000000000","inline":true},
 *                 {"action":"77c2…","output":"8b21…","size":900000,"time":"1764000000000000001","inline":false}]}\n
 *   < hello
 *
 * An action that `entries` does not name is a miss. Bytes of at most 64 KB are inline, until 4 MB are; the others are
 * fetched with GET, which may then be a miss after all.
 *
 * Failures are JSON, `{"code": "unauthenticated", "message": "…"}`: 400 for what is not of this form, 401, 403 (`this token
 * may read only`: further PUTs are in vain), 413 for more than one entry may have, 429 and 503 with `Retry-After`. A GET that
 * ends before `Content-Length` bytes must be taken as a miss.
 */
export const MAX_ACTIONS = 1000;
/** Bytes of one output that are sent with the answer about many. */
export const MAX_INLINE_BYTES = 64_000;
/** Bytes of all of them together. */
export const MAX_INLINE_TOTAL_BYTES = 4_000_000;
