/** Names of private machines and networks (RFC 6761, 6762, 8375, and customary ones), and single words. */
const PRIVATE_NAME =
  /^[^.]+$|\.(localhost|local|internal|intranet|test|example|invalid|lan|home|corp|private|home\.arpa)$/;
/** This machine, private networks, link-local addresses, and shared addresses of providers (RFC 6890). */
const PRIVATE_IPV4 =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** The only routed block of IPv6. */
const PUBLIC_IPV6 = /^\[[23]/;

/** Whether a service elsewhere could fetch an address of this site. @param url absolute */
export function isPublicOrigin(url: string): boolean {
  // The parser has normalized it: `127.1` is `127.0.0.1`, `LOCALHOST.` is `localhost.`.
  const host = new URL(url).hostname.replace(/\.$/, "");
  if (host.startsWith("[")) return PUBLIC_IPV6.test(host);
  return !PRIVATE_NAME.test(host) && !PRIVATE_IPV4.test(host);
}
