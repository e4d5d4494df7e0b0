/** Variables of the build cache: how much it keeps, and for how long. */
import { quota, retention, type Values, type Variables } from "#platform/environment/variables.ts";

export const cacheVariables = {
  /** In bytes. */
  MILLRACE_CACHE_QUOTA: {
    schema: quota.prefault("50GB"),
    about: "The maximum size of each cache namespace.",
    part: "cache",
  },
  /** In milliseconds. */
  MILLRACE_CACHE_RETENTION: {
    schema: retention.prefault("14d"),
    about: "How long an unused cache entry is kept.",
    part: "cache",
  },
} satisfies Variables;

export type CacheEnvironment = Values<typeof cacheVariables>;
