/**
 * Whether a request names one host (RFC 9112, 3.2; RFC 9113, 8.3.1). With two hosts, proxies and caches in front of this server
 * may have read the other.
 */
import { Http2ServerRequest } from "node:http2";
import type { AnyRequest } from "./connection.ts";

/** A name as resolvers and containers use them, or an address; the port may be left out. */
const HOST = /^(?:[\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** False for several hosts, a malformed host, or in HTTP/1.1 and later none. */
export function hasOneHost(request: AnyRequest): boolean {
  const { rawHeaders, httpVersion, url = "" } = request;
  const named: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === "host") named.push(rawHeaders[at + 1]!);
  if (named.length > 1) return false;
  const [, ofAddress] = ABSOLUTE.exec(url) ?? [];
  const ofRequest = request instanceof Http2ServerRequest ? request.headers[":authority"] : ofAddress;
  if (ofRequest !== undefined) named.push(ofRequest);
  const [first = "", second = first] = named;
  if (named.length === 0 && httpVersion === "1.0") return true;
  return HOST.test(first) && first.toLowerCase() === second.toLowerCase();
}
