/** Every cap of builders on this machine. */

/** Of each of its CPUs, as the limits page has it (`builder.memory`). */
export const CPU_MEMORY_BYTES = 4 * 1024 ** 3;
/** Of the machine's memory, for all builders together: the rest is for this server, and for what else runs on the machine. */
export const MOST_MEMORY = 0.8;
/** Of that, for one organization while another one builds. */
export const CROWDED_MEMORY = 0.75;
/** Until memory that could not be taken back from an organization is asked for again. */
export const SHARE_AGAIN_MS = 5_000;
/** Builders that run at once, with those that are warm; for another one, one that is warm is stopped. */
export const MAX_WARM_BUILDERS = 64;
/** Of one organization, at work at once. */
export const MAX_BUILDERS_OF_ONE = 32;
/** Below so much free disk no builder starts. */
export const MIN_FREE_BYTES = 32 * 1024 ** 2;
