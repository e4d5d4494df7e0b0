import { getProxyForUrl } from "proxy-from-env";

/** @returns the proxy through which calls to an origin go, as `fetch` of `network.ts` chooses it; "": none */
export function proxyFor({ protocol, host, port }: URL): string {
  const ofScheme = getProxyForUrl({ protocol, host, port });
  if (ofScheme !== "" || protocol === "http:") return ofScheme;
  // undici takes HTTP_PROXY for both where there is no other.
  return getProxyForUrl({ protocol: "http:", host, port: port || "443" });
}
