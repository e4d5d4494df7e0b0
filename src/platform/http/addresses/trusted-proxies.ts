import { createMatcher } from "./client-address.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"];

const NAMED = new Map([
  ["loopback", LOOPBACK],
  ["private", PRIVATE],
]);

/** Whether an address cannot be reached from the internet, such as the address of one's own proxy. */
export const isInternalAddress: (address: string) => boolean = createMatcher([...LOOPBACK, ...PRIVATE]);

/**
 * Reads a comma-separated list of proxies: addresses, networks, and the words `loopback` and `private`.
 * @returns networks for `createAddressOf`
 * @throws Error that names the invalid entry
 */
export function parseTrustedProxies(text: string): string[] {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const networks = entries.flatMap((entry) => NAMED.get(entry.toLowerCase()) ?? [entry]);
  createMatcher(networks);
  return networks;
}
