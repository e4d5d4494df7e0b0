/**
 * One line per answer. `AccessLogMode` decides what it reveals about a reader:
 *
 *   private    no address; the path of a readers' page only if it failed (decision 019)
 *   full       every path, and the network of the client's address: 198.51.100.0/24, 2001:db8:12::/48
 *   off        nothing
 *
 * It never has a query, a cookie, a referrer or a user agent.
 */
import { isIP } from "node:net";
import type { Log } from "../log/log.ts";
import { expandGroups } from "./addresses/client-address.ts";
import type { AnswerListener } from "./connections/watch-answers.ts";

export const ACCESS_LOG_MODES = ["private", "full", "off"] as const;
export type AccessLogMode = (typeof ACCESS_LOG_MODES)[number];

/** UTF-16 units of a path. */
const MAX_PATH_LENGTH = 500;
const FIRST_FAILURE = 400;
const FIRST_ERROR = 500;

export interface AccessLogOptions {
  log: Log;
  mode: AccessLogMode;
  /** Mounts whose paths reveal what a person reads. */
  readerMounts: readonly string[];
  /** Removes secrets from a path, such as a key that is part of an address. */
  maskPath?: (path: string) => string;
}

export function createAccessLog(options: AccessLogOptions): AnswerListener {
  const { log, mode, maskPath = (path: string) => path } = options;
  if (mode === "off") return () => {};
  const readerMounts = new Set(options.readerMounts);
  return (request, { requestId, address }) => {
    const { method, mount, path, status, bytes, ms, protocol, isCut, grpcStatus } = request;
    const isPathShown = mode === "full" || status >= FIRST_FAILURE || !readerMounts.has(mount);
    const write = status >= FIRST_ERROR ? log.warn : log.info;
    write("answered", {
      // The request's own context may be over when the listener is called.
      ...(requestId !== undefined && { requestId }),
      method,
      mount,
      ...(isPathShown && { path: maskPath(path).slice(0, MAX_PATH_LENGTH) }),
      status,
      ...(grpcStatus !== undefined && { grpcStatus }),
      ...(bytes !== null && { bytes }),
      ms: Math.round(ms * 10) / 10,
      ...(protocol !== null && { protocol }),
      ...(isCut && { isCut }),
      ...(mode === "full" && { client: networkOf(address()) }),
    });
  };
}

/** Covers hundreds or thousands of readers: enough to see where a flood comes from, but not to identify anyone. */
function networkOf(address: string | null): string | null {
  if (address === null) return null;
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  if (isIP(address) === 6) return `${expandGroups(address).slice(0, 3).join(":")}::/48`;
  return null;
}
