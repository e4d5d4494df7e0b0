/**
 * Names that anybody can make up (words of searches, referring hosts, addresses without a page) have room for so many a day
 * (`day-counts.ts`), and whoever comes first takes it. So one address brings in few new ones, its networks twice as many;
 * what is over is counted without a name. A name that is there already is anybody's.
 *
 * In memory are today's names, and how many an address has brought in; not which.
 */
import { createNetworkLimit, type NetworkShares } from "#platform/http/network-limit.ts";
import { dayOf } from "../days.ts";

const NETWORK_SHARES: NetworkShares = { ipv6: [1, 2, 2], ipv4: [1, 2] };
const MINUTES_PER_DAY = 1440;

export interface NameShareOptions {
  /** New names of one address in a day. */
  perAddress: number;
  /** Names that a day has room for. */
  perDay: number;
  clock: () => number;
}

/** @returns whether what an address has sent is counted with this name */
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
