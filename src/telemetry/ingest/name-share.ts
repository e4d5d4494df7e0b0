/**
 * Names that anyone can make up (words of searches, referring hosts, addresses without a page) have a maximum per day
 * (`day-counts.ts`), first come, first served. So one address may add few new names, its networks twice as many; the rest is
 * counted without a name. Anyone may use a name that is there already.
 *
 * Memory holds today's names, and how many an address has added; not which.
 */
import { createNetworkLimit, type NetworkShares } from "#platform/http/limits/network-limit.ts";
import { dayOf } from "../contract/days.ts";

const NETWORK_SHARES: NetworkShares = { ipv6: [1, 2, 2], ipv4: [1, 2] };
const MINUTES_PER_DAY = 1440;

export interface NameShareOptions {
  /** New names of one address per day. */
  perAddress: number;
  /** Maximum of names per day. */
  perDay: number;
  clock: () => number;
}

/** @returns whether a request of an address is counted with this name */
export type NameShare = (address: string | null, name: string) => boolean;

export function createNameShare({ perAddress, perDay, clock }: NameShareOptions): NameShare {
  const limit = createNetworkLimit({
    perMinute: perAddress / MINUTES_PER_DAY,
    burst: perAddress,
    shares: NETWORK_SHARES,
    clock,
  });
  let day = dayOf(clock());
  const names = new Set<string>();
  return (address, name) => {
    if (dayOf(clock()) !== day) names.clear();
    day = dayOf(clock());
    if (names.has(name)) return true;
    if (names.size >= perDay || limit.take(address) > 0) return false;
    names.add(name);
    return true;
  };
}
