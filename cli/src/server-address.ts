/** What is wrong with the address of a server that somebody logs in to, as far as the address tells. */

/** Means this machine, wherever it is read. */
const isLocal = ({ hostname: host }: URL) =>
  host === "localhost" || host === "[::1]" || /^127\.[\d.]+$/.test(host) || host.endsWith(".localhost");

/** @returns what to say before a login over plain http to another machine; null otherwise */
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
  /** Null: nothing is wrong with it. */
  warning: string | null;
}

/**
 * Where to confirm a login. A server that was never told its own address names this machine instead of itself.
 * @param named by the server
 * @param origin that it was reached at
 */
export function addressToOpen(named: string, origin: string): ShownAddress {
  const url = new URL(named);
  if (!isLocal(url) || isLocal(new URL(origin))) return { address: named, warning: null };
  return {
    address: `${origin}${url.pathname}${url.search}`,
    warning: `the server calls itself ${url.origin}, which means this machine. Ask whoever runs it to set SITE_ORIGIN=${origin}, or its https address`,
  };
}
