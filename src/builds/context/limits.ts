/** How much is remembered of clients' folders. A build that exceeds it still runs; its explanations are less exact. */

/** Files of one build, and characters of their names, link targets and folder names. */
export const MAX_SEEN_FILES = 20_000;
export const MAX_SEEN_NAMES = 2_000_000;
/** Files of all running builds. */
export const MAX_ALL_FILES = 100_000;
/**
 * Bytes checksummed per file and per build: at 4 GB/s, so that a large context costs a few percent more. For larger files, size and
 * time show whether they changed.
 */
export const MAX_SUMMED_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_SUMMED_BYTES = 256 * 1024 * 1024;
/** Folders of one build, and its simultaneous transfers. */
export const MAX_FOLDERS = 50;
export const MAX_TRANSFERS = 50;

/** Bytes of the header block of one request within a session, and characters after decompression. */
export const MAX_BLOCK_BYTES = 128 * 1024;
export const MAX_FIELD_CHARACTERS = 1024 * 1024;
/** Bytes of the header compression table: the protocol's initial size. */
export const MAX_TABLE_BYTES = 4096;
/** Bytes of one file's name and attributes. */
export const MAX_STAT_BYTES = 64 * 1024;

/** One secret that a step mounts: BuildKit's own limit. */
export const MAX_SECRET_BYTES = 500 * 1024;
/** Bytes of a session's secrets that have arrived in part, and secrets that are requested at the same time. */
export const MAX_AWAITED_BYTES = 8 * 1024 * 1024;
export const MAX_ANSWERS = 1000;
