/**
 * Limits how much of each kind is stored from one address, from the networks around it, and from all together. The database
 * deletes the oldest rows first, so a sender without a limit would replace everyone else's rows.
 *
 *     one address       1/32 of the kind's budget in a burst, and six times as much within the retention
 *     its network       twice that (/56, /48; /24 for IPv4): never half of the budget, however long it continues
 *     all together      a quarter in a burst and a quarter a day: existing rows outlive a flood from everywhere by days
 *
 * It is counted here and not at the deletion, because a row does not record where it came from (decisions/004). Addresses are
 * only in memory. A restart forgets them, and the database still keeps its size.
 */
import {
  createNetworkLimit,
  type NetworkLimit,
  type NetworkShares,
} from "#platform/http/limits/network-limit.ts";
import { createRateLimit, type RateLimit } from "#platform/http/limits/rate-limit.ts";
import { budgetOf, KEPT_KINDS, type KeptKind } from "../contract/budgets.ts";
import type { TelemetryConfig } from "../contract/config.ts";
import type { TelemetryLimits } from "../contract/limits.ts";
import { Refusal } from "../contract/refusal.ts";

/** How many times an address may fill its share again within the retention. */
const REFILLS = 6;
/** A sender with several addresses usually has the whole network. */
const NETWORK_SHARES: NetworkShares = { ipv6: [1, 2, 2], ipv4: [1, 2] };
const MINUTES_PER_DAY = 1440;

export interface DiskShare {
  /** @throws Refusal while the address, its network or all together have used up their share */
  requireRoom: (address: string | null, kind: KeptKind) => void;
  /** Counts what is stored from an address. One request may exceed the share; later requests wait longer. */
  spend: (address: string | null, kind: KeptKind, bytes: number) => void;
}

export interface DiskShareOptions {
  config: Pick<TelemetryConfig, "maxBytes" | "retentionDays">;
  limits: Pick<TelemetryLimits, "sharePerAddress" | "sharePerDay">;
  clock: () => number;
}

interface Buckets {
  perNetwork: NetworkLimit;
  ofAll: RateLimit;
}

export function createDiskShare({ config, limits, clock }: DiskShareOptions): DiskShare {
  const { maxBytes, retentionDays } = config;
  const bucketsOf = (kind: KeptKind): Buckets => {
    const budget = budgetOf(kind, maxBytes);
    const burst = budget * limits.sharePerAddress;
    const perMinute = (burst * REFILLS) / (retentionDays * MINUTES_PER_DAY);
    const all = budget * limits.sharePerDay;
    return {
      perNetwork: createNetworkLimit({ perMinute, burst, shares: NETWORK_SHARES, clock }),
      ofAll: createRateLimit({ perMinute: all / MINUTES_PER_DAY, burst: all, clock }),
    };
  };
  const buckets = Object.fromEntries(KEPT_KINDS.map((kind) => [kind, bucketsOf(kind)])) as {
    readonly [kind in KeptKind]: Buckets;
  };
  return {
    requireRoom(address, kind) {
      const own = buckets[kind].perNetwork.wait(address);
      if (own > 0)
        throw new Refusal(
          "network limit used up",
          `This network has used up its share of the storage. ${again(own)}`,
          own,
        );
      const all = buckets[kind].ofAll.wait("");
      if (all > 0)
        throw new Refusal(
          "shared limit used up",
          `The storage for one day's data is used up. ${again(all)}`,
          all,
        );
    },
    spend(address, kind, bytes) {
      buckets[kind].perNetwork.spend(address, bytes);
      buckets[kind].ofAll.spend("", bytes);
    },
  };
}

function again(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, "second"]
      : seconds < 7200
        ? [seconds / 60, "minute"]
        : [seconds / 3600, "hour"];
  return `Try again in ${Math.ceil(count)} ${unit}${Math.ceil(count) === 1 ? "" : "s"}.`;
}
