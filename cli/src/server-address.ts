/** Finds problems in the address of a server that a user logs in to. */

/** Whether the address means the machine that it is read on. */
const isLocal = ({ hostname: host }: URL) =>
  host === "localhost" || host === "[::1]" || /^127\.[\d.]+$/.test(host) || host.endsWith(".localhost");

/** @returns the warning before a login over plain http to another machine; null otherwise */
export function plainHttpWarning(origin: string): string | null {
  const url = new URL(origin);
  if (url.protocol !== "http:" || isLocal(url)) return null;
  return (
    `${origin} is not encrypted: anyone on the network path can read the token, and browsers do not offer passkeys there. ` +
    "If you cannot sign in, ask whoever runs the server for its https address, or for a token: millrace login --token"
  );
}

export interface ShownAddress {
  address: string;
  /** Null if the address is fine. */
  warning: string | null;
}

/**
 * The address at which to confirm a login. A server whose own address was never set names localhost instead.
 * @param named the address that the server sent
 * @param origin the origin that reached the server
 */
export function addressToOpen(named: string, origin: string): ShownAddress {
  const url = new URL(named);
  if (!isLocal(url) || isLocal(new URL(origin))) return { address: named, warning: null };
  return {
    address: `${origin}${url.pathname}${url.search}`,
    warning: `the server calls itself ${url.origin}, which means this machine. Ask whoever runs it to set SITE_ORIGIN=${origin}, or its https address`,
  };
}
