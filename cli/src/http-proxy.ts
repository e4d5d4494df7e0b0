import { getProxyForUrl } from "proxy-from-env";

/** @returns the proxy for calls to an origin, the same as for `fetch` of `network.ts`; "" for none */
export function proxyFor({ protocol, host, port }: URL): string {
  const ofScheme = getProxyForUrl({ protocol, host, port });
  if (ofScheme !== "" || protocol === "http:") return ofScheme;
  // undici uses HTTP_PROXY for both schemes if there is no HTTPS_PROXY.
  return getProxyForUrl({ protocol: "http:", host, port: port || "443" });
}
