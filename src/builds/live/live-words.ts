/** Why a build ended, and what its log lacks, in words. */

export const GONE = "The client disconnected before it reported how the build ended.";
export const UNREAD =
  "The secrets that this build's steps mount could not be read: they are not masked in this log.";

export function tooLong(limitMs: number): string {
  const seconds = limitMs / 1000;
  const limit = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `The build ran longer than its limit of ${limit} (MILLRACE_BUILD_TIMEOUT).`;
}

export function tooLarge(limitBytes: number): string {
  const limit = Math.round(limitBytes / 1e6);
  return `The build context is larger than the limit of ${limit} MB (MILLRACE_BUILD_CONTEXT_LIMIT). List what the build does not need in .dockerignore.`;
}
