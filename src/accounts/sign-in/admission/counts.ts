/** Limits for strangers: counted in this process first, then by all servers together. */
import { createNetworkLimit, networkShares } from "#platform/http/limits/network-limit.ts";
import { createRateLimit } from "#platform/http/limits/rate-limit.ts";
import type { Accounts } from "../../contract/accounts.ts";
import type { SharedCounts } from "./shared-counts.ts";

export interface Count {
  /** @returns 0 when there was enough, else the seconds until there will be */
  take: (key: string) => Promise<number>;
  /** How many could be taken now. */
  left: (key: string) => Promise<number>;
}

export interface CountOptions {
  /** Unique among the counts. */
  name: string;
  perMinute: number;
  burst: number;
  /** Null: only this process counts. */
  shared: SharedCounts | null;
}

const MINUTE_MS = 60_000;
const everyMsOf = (perMinute: number) => Math.max(1, Math.round(MINUTE_MS / perMinute));

/** By keys of any kind. */
export function createCount({ clock }: Accounts, { name, perMinute, burst, shared }: CountOptions): Count {
  const own = createRateLimit({ perMinute, burst, clock });
  const levelOf = (key: string) => ({ key: `${name} ${key}`, burst, everyMs: everyMsOf(perMinute) });
  return {
    async take(key) {
      return own.take(key) || ((await shared?.take([levelOf(key)])) ?? 0);
    },
    async left(key) {
      const here = own.left(key);
      return here === 0 || !shared ? here : Math.min(here, await shared.left(levelOf(key)));
    },
  };
}

export interface NetworkCount {
  /** @returns 0 when there was enough for the address and the networks around it, else the seconds until there will be */
  take: (address: string | null) => Promise<number>;
  /** Whether this process would refuse one more. */
  isOver: (address: string | null) => boolean;
}

/** By address, and by the networks around it. */
export function createNetworkCount(
  { clock }: Accounts,
  { name, perMinute, burst, shared }: CountOptions,
): NetworkCount {
  const own = createNetworkLimit({ perMinute, burst, clock });
  return {
    async take(address) {
      const wait = own.take(address);
      if (wait > 0 || !shared) return wait;
      return shared.take(
        networkShares(address).map(({ key, share }) => ({
          key: `${name} ${key}`,
          burst: burst * share,
          everyMs: everyMsOf(perMinute * share),
        })),
      );
    },
    isOver: (address) => own.wait(address) > 0,
  };
}
