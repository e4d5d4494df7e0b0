/** Caps of blobs. */

/** Up to this size bytes are kept in the database, beside their record. Most results of actions are smaller. */
export const INLINE_BYTES = 4 * 1024;
/** Milliseconds that a blob stays without a reference when somebody was told that it is there. */
export const HOLD_MS = 24 * 60 * 60 * 1000;
/** Blobs removed in one step of the collector. */
export const COLLECT_AT_ONCE = 500;
/** Blobs whose bytes this process remembers to have checked. */
export const MAX_CHECKED = 200_000;
