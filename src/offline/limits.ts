/** How long a request waits for the network while the offline copy could answer it. */
export const NETWORK_WAIT_MS = 3_000;
/** A search of the copy finds the same, and a reader who types notices less. */
export const SEARCH_WAIT_MS = 1_000;
/** For both, while the network has just been too slow. */
export const SLOW_NETWORK_WAIT_MS = 400;
/** How long a network counts as slow. */
export const SLOW_NETWORK_MS = 30_000;
/** Whoever reads online is asked this often at most whether there is a newer copy. */
export const CHECK_INTERVAL_MS = 15 * 60_000;
/** A download of which nothing comes for so long is given up. */
export const STALL_MS = 30_000;
/** For a whole copy, however it trickles: browsers end a worker's work after five minutes. */
export const DOWNLOAD_MS = 4 * 60_000;
/** For the few bytes that describe the newest copy. */
export const INFO_MS = 15_000;
/** For the browser to get the worker's code from the server. */
export const CODE_MS = 30_000;
/** For the first word of a worker that was told something: it may have to start, and one of a former release asks the server first. */
export const FIRST_WORD_MS = 2 * INFO_MS;
/** For all that a press of the reader causes. */
export const KEEP_MS = 6 * 60_000;
/** For a file or a search of the copy, before the request is left to the network. */
export const COPY_WAIT_MS = 10_000;
/** For the worker to remove the copy, before the page does. */
export const REMOVAL_MS = 3_000;
/** For tidying up while no reader waits; a press waits longer than that. */
export const TIDY_MS = 3 * REMOVAL_MS;
/** The last message of a worker comes within this time of its end. */
export const LAST_WORD_MS = 2_000;
/** More of a description is not read. */
export const MAX_INFO_BYTES = 4 * 1024;
/** A description with greater numbers is not believed. */
export const MAX_PACK_BYTES = 100 * 1024 * 1024;
/** What a browser needs besides the files themselves to keep them. */
export const STORAGE_FACTOR = 1.2;
/** Entries of the cache that are written at once. */
export const WRITES_AT_ONCE = 24;
