/** Every cap of the cache. */

/** `cache.entry` of content/facts/limits.yaml. */
export const MAX_ENTRY_BYTES = 2_000_000_000;
/** `cache.quota` and `cache.retention`, unless the operator says otherwise. */
export const DEFAULT_QUOTA_BYTES = 50_000_000_000;
export const DEFAULT_RETENTION_MS = 14 * 24 * 60 * 60 * 1000;
/** Characters of a key, with its kind: the longest paths of Maven have about 200. */
export const MAX_KEY_LENGTH = 512;
/** Characters of what a tool wants back with an entry. */
export const MAX_META_LENGTH = 2048;
/** An entry's last use is written when the one that is known is this old, in milliseconds. */
export const LAST_USE_EXACT_MS = 10 * 60 * 1000;
/** Uses and counts that wait to be written, and how often they are, in milliseconds. */
export const FLUSH_EVERY_MS = 5_000;
/** Entries whose place this process remembers. */
export const MAX_REMEMBERED_ENTRIES = 100_000;
/** How long another replica's change may be unknown, in milliseconds; with SQLite there is no other. */
export const REMEMBERED_MS = 5_000;
/** Entries that one look-up of many asks the database for at once. */
export const FIND_AT_ONCE = 500;
/** Calls of one client that were refused for their token, per minute and at once: each asks the database. */
export const REFUSED_RATE = { perMinute: 600, burst: 300 };
