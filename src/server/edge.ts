/** What stands between clients and the application: who they are, how much each may ask for, and whether there is room. */
import type { Context, MiddlewareHandler } from "hono";
import type { ErrorBody } from "../search-server/index.ts";
import {
  type AddressOf,
  addressKey,
  connectionAddress,
  createAddressOf,
  createMatcher,
} from "../platform/http/client-address.ts";
import type { ConnectionGuard } from "../platform/http/connections.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import { isInternalAddress } from "../platform/http/trusted-proxies.ts";
import { PAGE_RATE, type RequestRate, SEARCH_RATE } from "./limits.ts";

export interface EdgeOptions {
  /** Addresses and networks of the operator's own proxies. Default: none. */
  trustedProxies?: readonly string[];
  /** Multiplies what one client may ask for; 0 takes the limits away. Default 1. */
  rateLimitFactor?: number;
  /** Absent where the application is called without a server. */
  connections?: ConnectionGuard;
  clock?: () => number;
  log?: (line: string) => void;
}

/** Middleware of the application; see `createApp`. */
export interface Edge {
  addressOf: AddressOf;
  /** Answers `GET /health` with 503 once the server is stopping. */
  refuseHealth: MiddlewareHandler;
  /** Tells the operator of a proxy that is not trusted. */
  noticeProxy: MiddlewareHandler;
  limitSearches: MiddlewareHandler;
  limitPages: MiddlewareHandler;
  /** Answers 503 while too much that was made waits for slow readers. */
  refuseWithoutRoom: MiddlewareHandler;
}

const ROOM_RETRY_SECONDS = 5;

export function createEdge(options: EdgeOptions = {}): Edge {
  const { trustedProxies = [], rateLimitFactor = 1, connections, clock = Date.now } = options;
  const { log = (line: string) => console.warn(line) } = options;
  const addressOf = createAddressOf(trustedProxies);

  const limit = (rate: RequestRate, refuse: (context: Context, seconds: number) => Response) => {
    if (rateLimitFactor === 0) return passOn;
    const { perMinute, burst } = rate;
    const bucket = createRateLimit({
      perMinute: perMinute * rateLimitFactor,
      burst: Math.max(1, burst * rateLimitFactor),
      clock,
    });
    const middleware: MiddlewareHandler = async (context, next) => {
      const seconds = bucket.take(addressKey(addressOf(context)));
      if (seconds === 0) return next();
      return refuse(context, seconds);
    };
    return middleware;
  };

  return {
    addressOf,
    refuseHealth: async (context, next) => {
      if (connections?.isDraining && /^(?:\/search)?\/health$/.test(context.req.path))
        return context.json({ status: "unavailable" }, 503);
      return next();
    },
    noticeProxy: createProxyNotice(createMatcher(trustedProxies), log),
    limitSearches: limit(SEARCH_RATE, refuseSearch),
    limitPages: limit(PAGE_RATE, refusePage),
    refuseWithoutRoom: connections ? createRoomCheck(connections) : passOn,
  };
}

const passOn: MiddlewareHandler = (_context, next) => next();

/** In the form of the search's protocol. */
function searchError(code: string, message: string): ErrorBody {
  return { message, code, type: "system", link: `https://docs.meilisearch.com/errors#${code}` };
}

function refuseSearch(context: Context, seconds: number): Response {
  const message = `Too many searches from this address. Try again in ${inSeconds(seconds)}.`;
  return context.json(searchError("too_many_requests", message), 429, { "Retry-After": String(seconds) });
}

function refusePage(context: Context, seconds: number): Response {
  return context.text(
    `Too many pages from this address at once. Try again in ${inSeconds(seconds)}.\n`,
    429,
    {
      "Retry-After": String(seconds),
      "Cache-Control": "no-store",
    },
  );
}

const isSearchPath = (path: string) => /^\/(?:multi-search$|indexes\/|search\/)/.test(path);

const inSeconds = (seconds: number) => (seconds === 1 ? "a second" : `${seconds} seconds`);

/** Looked at again when the answer is made: many may have been in the making at once. */
function createRoomCheck(connections: ConnectionGuard): MiddlewareHandler {
  const message = `Too many answers wait for slow readers. Try again in ${ROOM_RETRY_SECONDS} seconds.`;
  const headers = { "Retry-After": String(ROOM_RETRY_SECONDS), "Cache-Control": "no-store" };
  const refuse = (context: Context) =>
    isSearchPath(context.req.path)
      ? context.json(searchError("too_many_search_requests", message), 503, headers)
      : context.text(`${message}\n`, 503, headers);
  return async (context, next) => {
    if (!connections.hasRoomFor(context)) return refuse(context);
    await next();
    if (connections.hasRoomFor(context)) return undefined;
    void context.res.body?.cancel();
    // Else it would get the headers of the answer that it replaces.
    context.res = undefined;
    context.res = refuse(context);
    return undefined;
  };
}

/** Once: until the operator has done something about it every request would say the same. */
function createProxyNotice(
  isTrusted: (address: string) => boolean,
  log: (line: string) => void,
): MiddlewareHandler {
  let isTold = false;
  return (context, next) => {
    if (isTold || context.req.header("x-forwarded-for") === undefined) return next();
    const address = connectionAddress(context);
    if (address !== null && isInternalAddress(address) && !isTrusted(address)) {
      isTold = true;
      log(
        `  A proxy at ${address} names readers' addresses (X-Forwarded-For) and is not trusted: all who come through it share one client's limits. If it is yours, set TRUSTED_PROXIES=${address}.`,
      );
    }
    return next();
  };
}
