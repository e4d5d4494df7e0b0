/**
 * Names of hosts that somebody else chose. The name is resolved once for each connection, and the checked address is the one
 * that is connected to: a name server that answers differently the second time (DNS rebinding) gains nothing.
 */
import { lookup as resolve, type LookupAddress, type LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface LookupRules {
  /** The operator has named the host: it may have any address. */
  isPrivate: boolean;
  /** What a refusal is thrown as. */
  refuse: (problem: "none" | "private") => Error;
  resolve?: Resolve | undefined;
}

/** For `http.request`. A literal address is connected to without it; see `isPublicHost`. */
export function createPublicLookup({
  isPrivate,
  refuse,
  resolve: find = resolve,
}: LookupRules): LookupFunction {
  return (host, options, done) =>
    find(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) done(error ?? refuse("none"), "");
      else if (!isPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
        done(refuse("private"), "");
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

/** Without the brackets of IPv6. */
export const plainHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** False for a literal address that is not public; what a name stands for is told when it is resolved. */
export function isPublicHost(url: URL): boolean {
  const host = plainHost(url);
  return isIP(host) === 0 || isPublicAddress(host);
}
