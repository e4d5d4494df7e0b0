/**
 * Finds a request's client. A connection's address is trusted; a proxy's claim about the client behind it (`X-Forwarded-For`)
 * only if the operator has named that proxy.
 *
 *     X-Forwarded-For: 198.51.100.7, 203.0.113.9     connection: 10.0.0.2 (trusted)
 *                      (anyone can write this)   └─ the last one that no trusted proxy added: the client
 */
import { BlockList, isIP } from "node:net";
import type { Context } from "hono";

/** Addresses read from the end of the header; a real chain has two or three. */
const MAX_HOPS = 10;

/** Properties that @hono/node-server adds to a request. */
interface NodeEnvironment {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** The client's address as written; null in tests without a connection. */
export type AddressOf = (context: Context) => string | null;

/** The address of the connection itself, which may be a proxy's. */
export function connectionAddress(context: Context): string | null {
  // `env` is passed by the adapter and has no type.
  const { incoming } = (context.env ?? {}) as NodeEnvironment;
  return plainAddress(incoming?.socket?.remoteAddress);
}

/** @param trusted addresses and networks (`10.0.0.0/8`, `::1`) of the operator's own proxies */
export function createAddressOf(trusted: readonly string[] = []): AddressOf {
  const clientAddress = createClientAddress(trusted);
  return (context) => clientAddress(connectionAddress(context), context.req.header("x-forwarded-for"));
}

/** The same from the connection's address and the header `X-Forwarded-For`. */
function createClientAddress(
  trusted: readonly string[],
): (direct: string | null, header: string | undefined) => string | null {
  const isTrusted = createMatcher(trusted);
  return (direct, header) => {
    if (trusted.length === 0 || direct === null || !isTrusted(direct)) return direct;
    if (header === undefined) return direct;
    let client = direct;
    for (const part of lastHops(header)) {
      const address = plainAddress(part.trim());
      // Anything but an address was not written by a trusted proxy, so earlier entries cannot be trusted either.
      if (address === null || isIP(address) === 0) return client;
      client = address;
      if (!isTrusted(address)) return client;
    }
    return client;
  };
}

/** The same for Node's requests. */
export function createNodeAddressOf(
  trusted: readonly string[] = [],
): (request: NodeRequest) => string | null {
  const clientAddress = createClientAddress(trusted);
  return ({ socket, headers }) =>
    clientAddress(plainAddress(socket?.remoteAddress), headers["x-forwarded-for"]?.toString());
}

interface NodeRequest {
  /** Undefined for a stream whose session has ended. */
  socket?: { remoteAddress?: string | undefined };
  headers: { [name: string]: string | string[] | undefined };
}

/** Whether an address belongs to one of the networks. @throws Error that names an invalid entry */
export function createMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const bits = family === "ipv6" ? 128 : 32;
    const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
    if (isIP(address) === 0 || prefix < 0 || prefix > bits || network.split("/").length > 2)
      throw new Error(`\`${network}\` is neither an address nor a network such as 10.0.0.0/8`);
    list.addSubnet(address, prefix, family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}

/** Newest first. The server limits the header's length, but not the number of its parts. */
function lastHops(header: string): string[] {
  const parts: string[] = [];
  let end = header.length;
  while (parts.length < MAX_HOPS && end >= 0) {
    const comma = end === 0 ? -1 : header.lastIndexOf(",", end - 1);
    parts.push(header.slice(comma + 1, end));
    end = comma;
  }
  return parts;
}

/** Without a zone and without the form that IPv4 addresses have on a dual-stack socket. */
export function plainAddress(address: string | undefined): string | null {
  if (address === undefined || address === "") return null;
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%[^%]*$/, "");
}

/**
 * The key for counting by limits: an IPv4 address, or the 64-bit network that an IPv6 connection usually gets. `null` counts as
 * one client.
 */
export function addressKey(address: string | null): string {
  if (address === null) return "unknown";
  if (isIP(address) !== 6) return address;
  return expandGroups(address).slice(0, 4).join(":");
}

/** `addressKey`, and the networks around it: 56 and 48 bits, or 24 for IPv4. */
export function networkKeys(address: string | null): string[] {
  if (address === null) return ["unknown"];
  if (isIP(address) !== 6) return [address, `${address.slice(0, address.lastIndexOf("."))}.0/24`];
  const groups = expandGroups(address).slice(0, 4);
  const site = groups.slice(0, 3).join(":");
  // The last group's upper half.
  const customer = groups[3]!.padStart(4, "0").slice(0, 2);
  return [groups.join(":"), `${site}:${customer}00/56`, `${site}::/48`];
}

/** The widest network. */
export const networkOf = (address: string | null): string => networkKeys(address).at(-1)!;

/** The eight groups of an IPv6 address, each in its shortest form. */
export function expandGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const all = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return all.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
