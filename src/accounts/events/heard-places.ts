import { addressKey } from "#platform/http/client-address.ts";
import type { ShownToken } from "../contract/refused.ts";
import { HEARD_AGAIN_MS, MAX_HEARD, MAX_HEARD_PER_ADDRESS, MAX_HEARD_PER_ORGANIZATION } from "./limits.ts";

interface Newcomer {
  token: ShownToken | null;
  organizationId?: string | null;
  address: string;
}

/** @returns whether a refusal that was not heard recently has room, by organization and by address */
export function createHeardPlaces(clock: () => number): (refusal: Newcomer) => boolean {
  const owners = new Map<string, number>();
  const addresses = new Map<string, number>();
  let since = clock();
  return ({ token, organizationId, address }) => {
    if (Math.abs(clock() - since) >= HEARD_AGAIN_MS) {
      owners.clear();
      addresses.clear();
      since = clock();
    }
    const owner = organizationId ?? token?.organizationId ?? token?.userId ?? "first";
    const from = addressKey(address);
    const [ofOwner, ofAddress] = [owners.get(owner) ?? 0, addresses.get(from) ?? 0];
    if (ofOwner >= MAX_HEARD_PER_ORGANIZATION || ofAddress >= MAX_HEARD_PER_ADDRESS) return false;
    if (addresses.size >= MAX_HEARD) return false;
    owners.set(owner, ofOwner + 1);
    addresses.set(from, ofAddress + 1);
    return true;
  };
}
