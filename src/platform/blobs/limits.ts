/** Caps of blobs. */

/** Threads of Node's pool. https://docs.libuv.org/en/v1.x/threadpool.html */
export const SYSTEM_THREADS = 4;
/** Up to this size bytes are stored in the database, with their record. Most action results are smaller. */
export const INLINE_BYTES = 4 * 1024;
/** Bytes read from a file at a time; up to this size it is read in one step, which is cheapest. */
export const CHUNK_BYTES = 256 * 1024;
/** Bytes of a chunk that are hashed and written before other work gets a turn: about 1 ms. */
export const HASH_AT_ONCE_BYTES = 512 * 1024;
/** Chunks whose memory is kept for reuse: 16 MB. */
export const MAX_FREE_CHUNKS = 64;
/** How much longer than its content a compressed body may be: a share of the content, plus bytes. */
export const ENCODED_MARGIN_SHARE = 1 / 8;
export const ENCODED_MARGIN_BYTES = 64 * 1024;
/** Blobs per statement. */
export const DIGESTS_AT_ONCE = 500;
/** Blobs removed in one step of the collector. */
export const COLLECT_AT_ONCE = 500;
/** Milliseconds until the collector runs after references were removed, and between its regular runs. */
export const COLLECT_AFTER_MS = 2_000;
export const COLLECT_EVERY_MS = 60 * 60 * 1000;
/** Milliseconds until another replica takes over, or a killed backup no longer blocks the collector. */
export const COLLECT_LEASE_MS = 2 * 60 * 1000;
/** A file that no record names is removed after this many milliseconds: its record may not be written yet. */
export const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;
/**
 * An unfinished upload to S3 is removed after this many milliseconds: its server was killed. Another replica may still be writing
 * it, so this is longer than any upload takes.
 */
export const ABANDONED_MS = 2 * ORPHAN_AGE_MS;
/** Shards searched for such files every hour: all within a day. */
export const SHARDS_AN_HOUR = 11;
/** Files removed at the same time. */
export const REMOVE_TOGETHER = 16;
/** Milliseconds that S3 may take to connect, and to stay silent. */
export const S3_CONNECT_MS = 5_000;
export const S3_ANSWER_MS = 60_000;
/** Concurrent requests to S3: each entry being read uses one, however slow its reader is. */
export const S3_CONNECTIONS = 500;
/** Blobs that this process remembers as checked. */
export const MAX_CHECKED = 200_000;
