/** Every cap of builders on this machine. */

/** Memory per CPU of a builder, as on the limits page (`builder.memory`). */
export const CPU_MEMORY_BYTES = 4 * 1024 ** 3;
/** Share of the machine's memory for all builders together: the rest is for this server and other programs. */
export const MOST_MEMORY = 0.8;
/** Share of that for one organization while another one builds. */
export const CROWDED_MEMORY = 0.75;
/** Until the server tries again to lower a limit that an organization's memory exceeds. */
export const SHARE_AGAIN_MS = 5_000;
/** Builders that run at the same time, including warm ones; a warm one is stopped to start another. */
export const MAX_WARM_BUILDERS = 64;
/** Builders of one organization at work at the same time. */
export const MAX_BUILDERS_OF_ONE = 32;
/** No builder starts with less free disk space. */
export const MIN_FREE_BYTES = 32 * 1024 ** 2;
