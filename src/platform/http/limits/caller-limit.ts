/**
 * Limits requests of known callers and strangers: each known caller has a bucket, whatever else comes from its address; strangers
 * share the buckets of their address and its networks.
 */
import { createNetworkLimit } from "./network-limit.ts";
import { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";

/**
 * Counts a request.
 * @param caller a known caller; null: a stranger
 * @returns 0 when it is allowed, else the seconds until it will be (for `Retry-After`).
 */
export type TakeOne = (caller: string | null, address: string | null) => number;

/** @param factor multiplies the figures; 0: no limit */
export function createCallerLimit(options: RateLimitOptions, factor = 1): TakeOne {
  const scaled = scaleRate(options, factor);
  if (!scaled) return () => 0;
  const [known, strangers] = [createRateLimit(scaled), createNetworkLimit(scaled)];
  return (caller, address) => (caller === null ? strangers.take(address) : known.take(caller));
}

/** @returns null when 0 removes the limit */
export function scaleRate(options: RateLimitOptions, factor: number): RateLimitOptions | null {
  if (factor === 0) return null;
  const { perMinute, burst = perMinute } = options;
  return { ...options, perMinute: perMinute * factor, burst: Math.max(1, burst * factor) };
}
