/**
 * Limits requests of a client and of the networks around it. The owner of a 48-bit network has addresses for 65,536 clients, so a
 * bucket per address stops no one.
 *
 *     2001:db8:7:a1b2::1   /64 ×1   /56 ×4   /48 ×16
 *     203.0.113.9                   itself ×1   /24 ×16
 *
 * A network that has used up its share leaves no new buckets behind, so that it cannot push those of others out of memory.
 */
import { networkKeys } from "../addresses/client-address.ts";
import { createRateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";

/** How many clients' worth a network may use, from the client itself to the widest network. */
const SHARES: NetworkShares = { ipv6: [1, 4, 16], ipv4: [1, 16] };

export interface NetworkShares {
  /** For an address's 64 bits, 56 and 48. */
  ipv6: readonly [number, number, number];
  /** For an address and its 24 bits. */
  ipv4: readonly [number, number];
}

export interface NetworkLimitOptions extends RateLimitOptions {
  shares?: NetworkShares;
}

export interface NetworkLimit {
  /**
   * Takes `count` from the buckets of an address and of its networks, all or nothing.
   * @returns 0 when there was enough, else the seconds until there will be (for `Retry-After`).
   */
  take: (address: string | null, count?: number) => number;
  /** Takes past use from all of them, below zero if necessary. */
  spend: (address: string | null, count: number) => void;
  /** The result of `take`, without taking: for limits that count only mistakes. */
  wait: (address: string | null, count?: number) => number;
  /** Number of buckets remembered. */
  readonly size: number;
}

interface Level {
  key: string;
  limit: RateLimit;
}

/** A network around an address, and how many clients' worth it may use. */
export interface NetworkShare {
  key: string;
  share: number;
}

/** From the client itself to the widest network. */
export function networkShares(address: string | null): NetworkShare[] {
  const keys = networkKeys(address);
  const shares = keys.length === SHARES.ipv6.length ? SHARES.ipv6 : SHARES.ipv4;
  return keys.map((key, at) => ({ key, share: shares[at]! }));
}

export function createNetworkLimit(options: NetworkLimitOptions): NetworkLimit {
  const { perMinute, burst = perMinute, shares = SHARES } = options;
  const scaled = (share: number) =>
    createRateLimit({ ...options, perMinute: perMinute * share, burst: burst * share });
  const [ipv4, ipv6] = [shares.ipv4.map(scaled), shares.ipv6.map(scaled)];

  /** From the narrowest to the widest. */
  function levelsOf(address: string | null): Level[] {
    const keys = networkKeys(address);
    const limits = keys.length === shares.ipv6.length ? ipv6 : ipv4;
    return keys.map((key, at) => ({ key, limit: limits[at]! }));
  }

  return {
    take(address, count = 1) {
      const levels = levelsOf(address);
      // The widest first: if it refuses, the others are untouched.
      const full = levels.findLast(({ key, limit }) => limit.wait(key, count) > 0);
      // Takes nothing; the bucket counts as used.
      if (full) return full.limit.take(full.key, count);
      for (const { key, limit } of levels) limit.take(key, count);
      return 0;
    },
    spend: (address, count) => {
      for (const { key, limit } of levelsOf(address)) limit.spend(key, count);
    },
    wait: (address, count = 1) =>
      Math.max(...levelsOf(address).map(({ key, limit }) => limit.wait(key, count))),
    get size() {
      return [...ipv4, ...ipv6].reduce((sum, { size }) => sum + size, 0);
    },
  };
}
