/**
 * Whether an address belongs to the public internet: strangers may make this server connect only to these. Refused are the
 * machine itself, its networks, cloud metadata services, and IPv6 forms of IPv4 addresses that a router would unpack (mapped,
 * NAT64, 6to4, Teredo).
 *
 * Source: https://www.iana.org/assignments/iana-ipv4-special-registry and its counterpart for IPv6.
 */
import { isIP } from "node:net";
import { createMatcher } from "./client-address.ts";

const isSpecialIpv4 = createMatcher([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's own service for its virtual machines.
  "168.63.129.16",
]);

/** Everything else of IPv6 is unassigned, local, or wraps IPv4. */
const isGlobalIpv6 = createMatcher(["2000::/3"]);
const isSpecialIpv6 = createMatcher(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** @param address as returned by the resolver, without brackets; a zone is refused */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  const version = isIP(address);
  if (version === 4) return !isSpecialIpv4(address);
  return version === 6 && isGlobalIpv6(address) && !isSpecialIpv6(address);
}
