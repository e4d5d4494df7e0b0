/** Why a build ended, and what its log does not do, in words. */

export const GONE = "The client went away before it reported how the build ended.";
export const UNREAD =
  "What the steps of this build mount as secrets could not be read along: it is not masked in this log.";

export function tooLong(limitMs: number): string {
  const seconds = limitMs / 1000;
  const limit = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `The build ran longer than its limit of ${limit} (MILLRACE_BUILD_TIMEOUT).`;
}

export function tooLarge(limitBytes: number): string {
  const limit = Math.round(limitBytes / 1e6);
  return `The build context is larger than ${limit} MB, which is the most (MILLRACE_BUILD_CONTEXT_LIMIT). Name what the build does not need in .dockerignore.`;
}
