/** How long a request waits for the network while the offline copy could answer it. */
export const NETWORK_WAIT_MS = 3_000;
/** Shorter for a search: the copy finds the same, and a reader who types notices a delay. */
export const SEARCH_WAIT_MS = 1_000;
/** For both, after the network has been too slow. */
export const SLOW_NETWORK_WAIT_MS = 400;
/** How long a network counts as slow. */
export const SLOW_NETWORK_MS = 30_000;
/** Minimum time between two checks for a newer copy while a reader is online. */
export const CHECK_INTERVAL_MS = 15 * 60_000;
/** A download that receives nothing for this long is given up. */
export const STALL_MS = 30_000;
/** For a whole copy, however slow: browsers end a worker's work after five minutes. */
export const DOWNLOAD_MS = 4 * 60_000;
/** For the few bytes that describe the newest copy. */
export const INFO_MS = 15_000;
/** For the browser to get the worker's code from the server. */
export const CODE_MS = 30_000;
/** For a worker's first answer to a message: it may have to start, and a former release's worker asks the server first. */
export const FIRST_WORD_MS = 2 * INFO_MS;
/** For all work after a reader's press. */
export const KEEP_MS = 6 * 60_000;
/** For a file or a search of the copy, before the request is left to the network. */
export const COPY_WAIT_MS = 10_000;
/** For the worker to remove the copy, before the page removes it. */
export const REMOVAL_MS = 3_000;
/** For cleaning up while no reader waits; a press waits longer than that. */
export const TIDY_MS = 3 * REMOVAL_MS;
/** A worker's last message arrives within this time of its end. */
export const LAST_WORD_MS = 2_000;
/** Bytes of a description; the rest is not read. */
export const MAX_INFO_BYTES = 4 * 1024;
/** A description with greater numbers is refused. */
export const MAX_PACK_BYTES = 100 * 1024 * 1024;
/** Space that a browser needs for the files, as a multiple of their size. */
export const STORAGE_FACTOR = 1.2;
/** Cache entries that are written concurrently. */
export const WRITES_AT_ONCE = 24;
