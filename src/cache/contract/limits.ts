/** Every cap of the cache. */

/** `cache.entry` of content/facts/limits.yaml. */
export const MAX_ENTRY_BYTES = 2_000_000_000;
/** `cache.quota` and `cache.retention`, unless the operator sets them. */
export const DEFAULT_QUOTA_BYTES = 50_000_000_000;
export const DEFAULT_RETENTION_MS = 14 * 24 * 60 * 60 * 1000;
/** Entries of one tool's namespace and its overlays: empty ones take no bytes of the quota, but each takes a row. */
export const MAX_ENTRIES = 20_000_000;
/** Characters of a key, with its kind: the longest paths of Maven have about 200. */
export const MAX_KEY_LENGTH = 512;
/** Characters of a tool's metadata of an entry. */
export const MAX_META_LENGTH = 2048;
/** Characters of an overlay's name. */
export const MAX_OVERLAY_LENGTH = 300;
/** An entry's last use is written when the known one is this old, in milliseconds. */
export const LAST_USE_EXACT_MS = 10 * 60 * 1000;
/** How often uses and counts are written, in milliseconds, and how many may wait. */
export const FLUSH_EVERY_MS = 5_000;
export const MAX_WAITING_USES = 200_000;
/** Last uses written in one transaction. In a file of 10 GB each takes 0.4 ms, in which no one else is answered. */
export const USES_AT_ONCE = 100;
/** Entries whose place this process remembers, and the bytes that they may take together. */
export const MAX_REMEMBERED_ENTRIES = 100_000;
export const MAX_REMEMBERED_BYTES = 48 * 1024 * 1024;
/** How long another replica's change may be unknown, in milliseconds; with SQLite there is no other replica. */
export const REMEMBERED_MS = 4_000;
/** Namespaces and writers whose ids this process remembers. */
export const MAX_REMEMBERED_NAMES = 10_000;
/** Entries in one query of a look-up of many. */
export const FIND_AT_ONCE = 500;

/** Entries removed in one transaction: some milliseconds in which no one else writes. */
export const REMOVE_AT_ONCE = 500;
/** A namespace above its quota shrinks to this share of it, so that not every write removes something. */
export const SHRINK_TO = 0.95;
/** How soon after a write the quota is checked, and how often everything is, in milliseconds. */
export const QUOTA_AFTER_MS = 1_000;
export const SWEEP_EVERY_MS = 60 * 60 * 1000;
export const FIRST_SWEEP_MS = 60_000;
/** After this time another replica takes over the removal, in milliseconds. Longer than the longest transaction. */
export const SWEEP_LEASE_MS = 60_000;
/** An empty overlay that is younger stays, in milliseconds. */
export const EMPTY_OVERLAY_MS = 60 * 60 * 1000;
/** Requests are counted by hour for this many hours: 90 days. */
export const COUNTED_HOURS = 90 * 24;
/** A writer's last write is exact to this, in milliseconds; a writer without entries stays as long as an entry. */
export const WRITER_EXACT_MS = 60 * 60 * 1000;
/** Entries from this size on are found by their size; the index is built with it. */
export const LARGE_ENTRY_BYTES = 1_000_000;
export const MAX_LISTED_ENTRIES = 10;
/** Writers in a list, and entries counted per writer at most. */
export const MAX_LISTED_WRITERS = 100;
export const MAX_COUNTED_ENTRIES = 1_000;
