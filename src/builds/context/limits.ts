/** What is remembered of the folders that clients send. A build with more is built all the same, and explained less exactly. */

/** Files of one build, and characters of their names, of what links lead to, and of names of folders. */
export const MAX_SEEN_FILES = 20_000;
export const MAX_SEEN_NAMES = 2_000_000;
/** Files of all builds that run. */
export const MAX_ALL_FILES = 100_000;
/**
 * Contents that are summed up, of one file and of one build: at 4 GB/s, so that a large context costs a few percent more. Of larger
 * files size and time tell whether they changed.
 */
export const MAX_SUMMED_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_SUMMED_BYTES = 256 * 1024 * 1024;
/** Folders of one build, and its transfers at the same time. */
export const MAX_FOLDERS = 50;
export const MAX_TRANSFERS = 50;

/** Bytes of the head of one request within a session, and characters that it may become. */
export const MAX_BLOCK_BYTES = 128 * 1024;
export const MAX_FIELD_CHARACTERS = 1024 * 1024;
/** Of the table that heads are compressed by: what the protocol begins with. */
export const MAX_TABLE_BYTES = 4096;
/** What is told of one file: its name, and its attributes. */
export const MAX_STAT_BYTES = 64 * 1024;

/** One secret that a step mounts: BuildKit's own limit. */
export const MAX_SECRET_BYTES = 500 * 1024;
/** Of secrets of one session that have come in part, and secrets that are asked for at the same time. */
export const MAX_AWAITED_BYTES = 8 * 1024 * 1024;
export const MAX_ANSWERS = 1000;
