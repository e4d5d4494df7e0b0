/** Caps of blobs. */

/** Of Node's pool. https://docs.libuv.org/en/v1.x/threadpool.html */
export const SYSTEM_THREADS = 4;
/** Up to this size bytes are kept in the database, beside their record. Most results of actions are smaller. */
export const INLINE_BYTES = 4 * 1024;
/** Bytes that are read of a file at once; up to this size it is read in one step, which costs least. */
export const CHUNK_BYTES = 256 * 1024;
/** Bytes of one chunk that are hashed, and written, before others get their turn: about 1 ms. */
export const HASH_AT_ONCE_BYTES = 512 * 1024;
/** Chunks whose memory is kept for the next ones: 16 MB. */
export const MAX_FREE_CHUNKS = 64;
/** How much longer than its content a compressed body may be: a share of the content, and bytes. */
export const ENCODED_MARGIN_SHARE = 1 / 8;
export const ENCODED_MARGIN_BYTES = 64 * 1024;
/** Blobs of one statement. */
export const DIGESTS_AT_ONCE = 500;
/** Blobs removed in one step of the collector. */
export const COLLECT_AT_ONCE = 500;
/** How soon after references were taken away the collector looks, and how often by itself, in milliseconds. */
export const COLLECT_AFTER_MS = 2_000;
export const COLLECT_EVERY_MS = 60 * 60 * 1000;
/** After this long another replica takes over, or a backup that was killed no longer holds the collector. */
export const COLLECT_LEASE_MS = 2 * 60 * 1000;
/** A file that no record names is removed when it is older, in milliseconds: its record may be on its way. */
export const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;
/**
 * An upload to S3 that was begun longer ago and has no end is removed, in milliseconds: its server was killed. Another
 * replica may be at it still, so this is longer than any upload takes.
 */
export const ABANDONED_MS = 2 * ORPHAN_AGE_MS;
/** Shards that are searched for such files every hour: all of them in a day. */
export const SHARDS_AN_HOUR = 11;
/** Files removed at the same time. */
export const REMOVE_TOGETHER = 16;
/** How long S3 may take to be reached, and to be silent, in milliseconds. */
export const S3_CONNECT_MS = 5_000;
export const S3_ANSWER_MS = 60_000;
/** Requests to S3 at the same time: each entry that is being read has one, however slowly its reader reads. */
export const S3_CONNECTIONS = 500;
/** Blobs whose bytes this process remembers to have checked. */
export const MAX_CHECKED = 200_000;
