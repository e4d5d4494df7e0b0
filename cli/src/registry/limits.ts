/** Caps of what the CLI takes from registries, archives and credential helpers. */

/** What OCI Distribution asks of every registry. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/** A token, or an error. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Manifests of one index, and layers of one manifest. */
export const MAX_REFERENCES = 4_096;
/** Indexes inside each other. */
export const MAX_DEPTH = 4;
/** Tries of a request or an upload that broke. */
export const MAX_TRIES = 5;
export const MAX_REDIRECTS = 5;
/** Blobs on their way at once. */
export const BLOBS_AT_ONCE = 3;
/** Milliseconds in which an answer has to begin, and without a byte of a body. */
export const ANSWER_MS = 60_000;
export const IDLE_MS = 60_000;
/** An upload whose every byte was taken may take its time to be verified. */
export const UPLOAD_ANSWER_MS = 10 * 60_000;
/** The longest pause that a registry may ask for. */
export const MAX_PAUSE_MS = 60_000;
/** Files in an archive. */
export const MAX_ARCHIVE_ENTRIES = 100_000;
export const MAX_HELPER_MS = 30_000;
