/**
 * How much whoever is known may ask for, and how much strangers may: those who are known have a bucket each, whatever
 * comes from the same address; strangers share those of their address and its networks.
 */
import { createNetworkLimit } from "./network-limit.ts";
import { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";

/**
 * Takes one.
 * @param caller who is known; null: a stranger
 * @returns 0 when there was enough, else the seconds until there will be (for `Retry-After`).
 */
export type TakeOne = (caller: string | null, address: string | null) => number;

/** @param factor multiplies the figures; 0: no limit */
export function createCallerLimit(options: RateLimitOptions, factor = 1): TakeOne {
  const scaled = scaleRate(options, factor);
  if (!scaled) return () => 0;
  const [known, strangers] = [createRateLimit(scaled), createNetworkLimit(scaled)];
  return (caller, address) => (caller === null ? strangers.take(address) : known.take(caller));
}

/** @returns null where 0 takes the limit away */
export function scaleRate(options: RateLimitOptions, factor: number): RateLimitOptions | null {
  if (factor === 0) return null;
  const { perMinute, burst = perMinute } = options;
  return { ...options, perMinute: perMinute * factor, burst: Math.max(1, burst * factor) };
}
