import { addressKey } from "#platform/http/addresses/client-address.ts";
import type { ShownToken } from "../contract/refused.ts";
import {
  REPORT_AGAIN_MS,
  MAX_REPORTS,
  MAX_REPORTS_PER_ADDRESS,
  MAX_REPORTS_PER_ORGANIZATION,
} from "./limits.ts";

interface NewReport {
  token: ShownToken | null;
  organizationId?: string | null;
  address: string;
}

/** @returns whether a refusal that was not reported recently has room, by organization and by address */
export function createReportQuota(clock: () => number): (refusal: NewReport) => boolean {
  const owners = new Map<string, number>();
  const addresses = new Map<string, number>();
  let since = clock();
  return ({ token, organizationId, address }) => {
    if (Math.abs(clock() - since) >= REPORT_AGAIN_MS) {
      owners.clear();
      addresses.clear();
      since = clock();
    }
    const owner = organizationId ?? token?.organizationId ?? token?.userId ?? "first";
    const from = addressKey(address);
    const [ofOwner, ofAddress] = [owners.get(owner) ?? 0, addresses.get(from) ?? 0];
    if (ofOwner >= MAX_REPORTS_PER_ORGANIZATION || ofAddress >= MAX_REPORTS_PER_ADDRESS) return false;
    if (addresses.size >= MAX_REPORTS) return false;
    owners.set(owner, ofOwner + 1);
    addresses.set(from, ofAddress + 1);
    return true;
  };
}
