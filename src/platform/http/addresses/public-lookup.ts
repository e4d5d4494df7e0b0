/**
 * Resolves host names that others chose. A name is resolved once per connection, and the connection goes to the address that was
 * checked: a name server that answers differently the second time (DNS rebinding) gains nothing.
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
  /** The operator has named the host: any address is allowed. */
  isPrivate: boolean;
  /** Makes the error of a refusal. */
  refuse: (problem: "none" | "private") => Error;
  resolve?: Resolve | undefined;
}

/** For `http.request`. It is not called for a literal address; see `isPublicHost`. */
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

/** False for a literal address that is not public; a name is checked when it is resolved. */
export function isPublicHost(url: URL): boolean {
  const host = plainHost(url);
  return isIP(host) === 0 || isPublicAddress(host);
}
