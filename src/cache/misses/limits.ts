/** Caps of what is remembered of misses. */

/** Misses of one namespace; one key counts once. */
export const MAX_MISSES = 1_000;
/** Keys of one namespace of which is known why they were removed. */
export const MAX_REMOVED = 10_000;
/** Pieces of work of one namespace whose last result is known. */
export const MAX_WORK = 50_000;
/** Misses, results and removed keys that wait to be written, each. What comes on top is not remembered. */
export const MAX_WAITING = 20_000;
export const FLUSH_EVERY_MS = 5_000;
/** Results whose command is compared with an earlier one at one flush; the others wait for the next. */
export const EXPLAINED_AT_ONCE = 500;
/** After this time even the last ones go, in milliseconds. */
export const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
/** Between two looks for what is too much, in milliseconds. */
export const TRIM_EVERY_MS = 60_000;
/** Characters of what a client says of its work, of a value that differs, and of its name. */
export const MAX_NOTE_LENGTH = 256;
export const MAX_VALUE_LENGTH = 200;
/** Differences of one miss that are told. */
export const MAX_DIFFERENCES = 20;
/** Bytes of an Action, of a Command, and of Maven's `buildinfo.xml`; larger ones are not compared. */
export const MAX_COMPARED_BYTES = 2_000_000;
/** Decoded bytes of an artifact of Turborepo in which its log is looked for. */
export const MAX_TASK_BYTES = 4_000_000;
/** A power of two: memory that an artifact's compression may ask for. Turborepo's needs 2 MB. */
export const MAX_TASK_WINDOW_LOG = 23;
/** Of Gradle's `METADATA`, which has 300. */
export const MAX_METADATA_BYTES = 16_000;
/** Characters of a commit that are shown. */
export const COMMIT_LENGTH = 12;
