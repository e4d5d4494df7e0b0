import { isIP } from "node:net";

/** Browsers have passkeys only for names, over HTTPS or on this machine itself. */
export function hasPasskeys(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}
