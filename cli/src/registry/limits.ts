/** Limits for data from registries, archives and credential helpers. */

/** The size that OCI Distribution requires every registry to accept. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/** The size of a token response or an error. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Manifests of one index, and layers of one manifest. */
export const MAX_REFERENCES = 4_096;
/** Nested indexes. */
export const MAX_DEPTH = 4;
/** Attempts at a request or an upload that broke. */
export const MAX_TRIES = 5;
export const MAX_REDIRECTS = 5;
/** Concurrent blobs. */
export const BLOBS_AT_ONCE = 3;
/** Milliseconds until an answer has to begin, and the longest gap between bytes of a body. */
export const ANSWER_MS = 60_000;
export const IDLE_MS = 60_000;
/** A registry may need a while to verify a complete upload. */
export const UPLOAD_ANSWER_MS = 10 * 60_000;
/** The longest pause that a registry may request. */
export const MAX_PAUSE_MS = 60_000;
/** Files in an archive. */
export const MAX_ARCHIVE_ENTRIES = 100_000;
export const MAX_HELPER_MS = 30_000;
