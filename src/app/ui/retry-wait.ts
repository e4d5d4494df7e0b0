/** Delay before an automatic retry: longer each time, since requests burden a busy server. */

const WAITS_S = [8, 16, 32, 60] as const;
/** A failure after a longer pause starts a new count. */
const FORGOTTEN_MS = 3 * 60_000;
/** One failure that is shown in two places, or twice. */
const SAME_MS = 1_000;
/** Screens have a handful of lists. */
const MAX_KEPT = 50;

const failures = new Map<string, { count: number; at: number }>();

/**
 * Counts a failure. A failed part is mounted again for each attempt, so that the count is kept here.
 * @param now milliseconds since 1970
 * @returns seconds
 */
export function noteFailure(what: string, now: number): number {
  const former = failures.get(what);
  const isSame = former !== undefined && now - former.at < SAME_MS;
  const isFollowing = former !== undefined && now - former.at < FORGOTTEN_MS;
  const count = isFollowing ? former.count + (isSame ? 0 : 1) : 0;
  failures.delete(what);
  failures.set(what, { count, at: now });
  const [oldest] = failures.keys();
  if (failures.size > MAX_KEPT && oldest !== undefined) failures.delete(oldest);
  return WAITS_S[Math.min(count, WAITS_S.length - 1)] ?? 60;
}
