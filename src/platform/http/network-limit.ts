/**
 * How much one client may ask for, and how much the networks around it may. Whoever has a network of 48 bits has 65,536
 * clients' worth of addresses, so a bucket for each address stops nobody.
 *
 *     2001:db8:7:a1b2::1   /64 ×1   /56 ×4   /48 ×16
 *     203.0.113.9                   itself ×1   /24 ×16
 *
 * A network that has used its share up leaves no new buckets behind, so that it cannot push others' out of memory.
 */
import { networkKeys } from "./client-address.ts";
import { createRateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";

/** How many clients' worth a network may take, from the client itself to the widest. */
const IPV6_SHARES = [1, 4, 16] as const;
const IPV4_SHARES = [1, 16] as const;

export interface NetworkLimit {
  /**
   * Takes `count` from the buckets of an address and of its networks, all or nothing.
   * @returns 0 when there was enough, else the seconds until there will be (for `Retry-After`).
   */
  take: (address: string | null, count?: number) => number;
  /** What `take` would return, without taking: for limits that only count mistakes. */
  wait: (address: string | null, count?: number) => number;
  /** Number of buckets remembered. */
  readonly size: number;
}

interface Level {
  key: string;
  limit: RateLimit;
}

export function createNetworkLimit(options: RateLimitOptions): NetworkLimit {
  const { perMinute, burst = perMinute } = options;
  const scaled = (share: number) =>
    createRateLimit({ ...options, perMinute: perMinute * share, burst: burst * share });
  const [ipv4, ipv6] = [IPV4_SHARES.map(scaled), IPV6_SHARES.map(scaled)];

  /** From the narrowest to the widest. */
  function levelsOf(address: string | null): Level[] {
    const keys = networkKeys(address);
    const limits = keys.length === IPV6_SHARES.length ? ipv6 : ipv4;
    return keys.map((key, at) => ({ key, limit: limits[at]! }));
  }

  return {
    take(address, count = 1) {
      const levels = levelsOf(address);
      // The widest first: where it refuses, the others are not touched.
      const full = levels.findLast(({ key, limit }) => limit.wait(key, count) > 0);
      // Takes nothing; the bucket counts as used.
      if (full) return full.limit.take(full.key, count);
      for (const { key, limit } of levels) limit.take(key, count);
      return 0;
    },
    wait: (address, count = 1) =>
      Math.max(...levelsOf(address).map(({ key, limit }) => limit.wait(key, count))),
    get size() {
      return [...ipv4, ...ipv6].reduce((sum, { size }) => sum + size, 0);
    },
  };
}
