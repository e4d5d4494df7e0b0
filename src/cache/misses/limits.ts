/** Caps for remembered misses. */

/** Misses of one namespace; one key counts once. */
export const MAX_MISSES = 1_000;
/** Keys of one namespace for which the reason of their removal is known. */
export const MAX_REMOVED = 10_000;
/** Pieces of work of one namespace whose last result is known. */
export const MAX_WORK = 50_000;
/** Misses, results and removed keys that wait to be written, each. More are not remembered. */
export const MAX_WAITING = 20_000;
export const FLUSH_EVERY_MS = 5_000;
/** Results whose command is compared with an earlier one at one flush; other results wait for the next flush. */
export const EXPLAINED_AT_ONCE = 500;
/** After this time even the last ones are removed, in milliseconds. */
export const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
/** Time between two removals of surplus rows, in milliseconds. */
export const TRIM_EVERY_MS = 60_000;
/** Characters of a client's note about its work, of a value that differs, and of its name. */
export const MAX_NOTE_LENGTH = 256;
export const MAX_VALUE_LENGTH = 200;
/** Differences that are shown of one miss. */
export const MAX_DIFFERENCES = 20;
/** Bytes of an Action, of a Command, and of Maven's `buildinfo.xml`; larger ones are not compared. */
export const MAX_COMPARED_BYTES = 2_000_000;
/** Decoded bytes of an artifact of Turborepo in which its log is looked for. */
export const MAX_TASK_BYTES = 4_000_000;
/** A power of two: memory that decompressing an artifact may need. Turborepo's needs 2 MB. */
export const MAX_TASK_WINDOW_LOG = 23;
/** Bytes of Gradle's `METADATA`, which has 300. */
export const MAX_METADATA_BYTES = 16_000;
/** Characters of a commit to show. */
export const COMMIT_LENGTH = 12;
