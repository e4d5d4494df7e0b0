/**
 * Page views that the server sees anyway, without a reader: an HTML page, or a page's data for client navigation.
 *
 * Data that a browser prefetches (a pointer rests on a link) is a view only if the reader follows the link, and then nothing
 * more is requested. The next request from that page shows it: its `Referer` names the page.
 *
 *     GET /docs/cache.data  Sec-Purpose: prefetch            remembered, in memory
 *     GET /docs/runners.data  Referer: …/docs/cache          /docs/cache was viewed
 *     (nothing within ten minutes)                           forgotten
 */
import type { Context, MiddlewareHandler } from "hono";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import { dayOf } from "../contract/days.ts";
import { MAX_MISSING_NAMES, MAX_NAMES } from "../store/day-counts.ts";
import type { MissingRow, ViewRow } from "../contract/types.ts";
import { hostOf } from "../parse/clean-text.ts";
import { stripIdentifying } from "../parse/strip-identifying.ts";
import { createMissingCounter } from "./count-missing.ts";
import { createNameShare } from "./name-share.ts";
import { browserFamily } from "./user-agent.ts";

const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 20_000;
const MAX_REFERER_LENGTH = 2000;
/** New names of one address per day, out of the day's maximum. */
const MISSING_PER_ADDRESS = 20;
const REFERRERS_PER_ADDRESS = 50;

export interface ViewCounterOptions {
  count: (view: ViewRow) => void;
  /** Counts an address without a page. */
  countMissing: (missing: MissingRow) => void;
  /** A key of the reader's browser, only in memory. */
  keyOf: (context: Context) => string;
  addressOf: AddressOf;
  origin: string;
  clock: () => number;
}

export function createViewCounter(options: ViewCounterOptions): MiddlewareHandler {
  const { count, countMissing, keyOf, addressOf, origin, clock } = options;
  /** `<reader> <path>` → when it was prefetched; in the order of time. */
  const ahead = new Map<string, number>();
  const ownHost = new URL(origin).host;
  const mayNameMissing = createNameShare({
    perAddress: MISSING_PER_ADDRESS,
    perDay: MAX_MISSING_NAMES,
    clock,
  });
  const mayNameReferrer = createNameShare({ perAddress: REFERRERS_PER_ADDRESS, perDay: MAX_NAMES, clock });
  const missingOf = createMissingCounter({
    mayName: (context, name) => mayNameMissing(addressOf(context), name),
    ownHost,
  });

  function forgetOld(now: number): void {
    for (const [key, at] of ahead) {
      if (now - at < REMEMBERED_MS && ahead.size <= MAX_REMEMBERED) return;
      ahead.delete(key);
    }
  }

  /** A request from a prefetched page: the reader is on it. */
  function countFollowed(context: Context, now: number): void {
    forgetOld(now);
    const referer = context.req.header("referer")?.slice(0, MAX_REFERER_LENGTH);
    if (ahead.size === 0 || referer === undefined || !URL.canParse(referer)) return;
    const { host, pathname } = new URL(referer);
    if (host !== ownHost && host !== context.req.header("host")) return;
    if (ahead.delete(`${keyOf(context)} ${pathname}`)) count(viewOf(context, pathname, now));
  }

  function referrerOf(context: Context): string | null {
    const host = hostOf(context.req.header("referer"));
    const isOwn = host === ownHost || host === context.req.header("host");
    // A bare network address as referrer is someone's own machine.
    if (isOwn || host === null || stripIdentifying(host) !== host) return null;
    return mayNameReferrer(addressOf(context), host) ? host : "";
  }

  function viewOf(context: Context, path: string, at: number): ViewRow {
    return {
      day: dayOf(at),
      path: path.slice(0, 500),
      referrer: referrerOf(context),
      browser: browserFamily(context.req.header("user-agent")),
    };
  }

  async function countAnswered(context: Context, next: () => Promise<void>): Promise<void> {
    await next();
    const missing = missingOf(context, clock());
    if (missing) countMissing(missing);
    const path = viewedPath(context);
    if (path === null) return;
    if (isAhead(context)) ahead.set(`${keyOf(context)} ${path}`, clock());
    else count(viewOf(context, path, clock()));
  }

  // Searches are not pages and pass without an extra promise.
  return (context, next) => {
    if (ahead.size > 0) countFollowed(context, clock());
    return context.req.method === "GET" ? countAnswered(context, next) : next();
  };
}

/** The console and the application are not pages for readers, and addresses of the application contain keys. */
const NOT_COUNTED = /^\/(?:console|app)(?:\/|$)/;

function isAhead(context: Context): boolean {
  return (context.req.header("sec-purpose") ?? context.req.header("purpose") ?? "").includes("prefetch");
}

/** The page that an answer shows; null for everything else. A page that has not changed is answered with 304. */
function viewedPath({ req, res }: Context): string | null {
  if (res.status !== 200 && res.status !== 304) return null;
  const type = res.headers.get("content-type");
  const { path } = req;
  if (NOT_COUNTED.test(path)) return null;
  if (type?.startsWith("text/html")) return path;
  if (!type?.startsWith("text/x-script") || !path.endsWith(".data")) return null;
  return path === "/_.data" ? "/" : path.slice(0, -".data".length);
}
