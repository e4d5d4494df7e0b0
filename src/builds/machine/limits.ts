/** Every cap of builders on this machine. */

/** Of each of its CPUs, as the limits page has it (`builder.memory`). */
export const CPU_MEMORY_BYTES = 4 * 1024 ** 3;
/** Builders that run at once, with those that are warm; above it the one that waits the longest is stopped. */
export const MAX_WARM_BUILDERS = 64;
/** Below so much free disk no builder starts. */
export const MIN_FREE_BYTES = 32 * 1024 ** 2;
