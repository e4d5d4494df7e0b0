/**
 * Requested addresses without a page, with their referrers: a page of this site by its path, another site by its host. They
 * are counted by day like pages, without a reader.
 *
 *     GET /docs/cache/keys   404   Referer: https://docs.example.com/docs/faq?q=x      /docs/cache/keys · /docs/faq
 *     GET /wp-login.php      404                                                       (no name)
 *
 * Most requests without a page are from scanners. An address that cannot be a page's has no name, nor has an address beyond
 * one sender's share: these are only counted.
 */
import type { Context } from "hono";
import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";
import { dayOf } from "../contract/days.ts";
import { hostOf } from "../parse/clean-text.ts";
import { stripIdentifying } from "../parse/strip-identifying.ts";
import type { MissingRow } from "../contract/types.ts";
import { browserFamily } from "./user-agent.ts";

const MAX_LENGTH = 200;
const MAX_REFERER_LENGTH = 2000;

interface Options {
  /** Each address with its referrer is a name: a sender can make up both. */
  mayName: (context: Context, name: string) => boolean;
  ownHost: string;
}

/** @returns what to count for an answer; null for everything except missing pages. */
export function createMissingCounter({
  mayName,
  ownHost,
}: Options): (context: Context, at: number) => MissingRow | null {
  return (context, at) => {
    if (!isMissingPage(context)) return null;
    const day = dayOf(at);
    const path = pageAddress(context.req.path);
    const isBot = browserFamily(context.req.header("user-agent")) === "bot";
    const from = origin(context, ownHost);
    const isNamed = path !== null && !isBot && mayName(context, `${path} ${from}`);
    return isNamed ? { day, path, from } : { day, path: "", from: "" };
  };
}

const PAGE_TYPES = ["text/html", "text/markdown", "text/x-script"];

function isMissingPage({ req, res }: Context): boolean {
  if (res.status !== 404 || req.method !== "GET") return false;
  const type = res.headers.get("content-type") ?? "";
  return PAGE_TYPES.some((each) => type.startsWith(each)) && !/^\/(?:console|app)(?:\/|$)/.test(req.path);
}

/** Like `from` of a redirect: no query, no slash at the end. Other forms of a page count as the page. */
const ADDRESS = /^(?:\/[A-Za-z0-9][\w~-]*(?:\.[\w~-]+)*){1,8}$/;
/** Pages have no such ending; other sites' files, programs and archives do. */
const FILE = /\.(?!\d)[a-z][a-z0-9]{0,5}$/i;
const SCANNED = /^\/(?:wp-|wordpress|xmlrpc|cgi-bin|admin|phpmyadmin|vendor\/|actuator|boaform|owa\/|\.)/i;

/** null for a path that is not a page's address, or could identify the reader. */
function pageAddress(path: string): string | null {
  const page = trimTrailingSlashes(path.replace(/\.(?:data|md|html?)$/, ""));
  if (page.length > MAX_LENGTH || !ADDRESS.test(page) || FILE.test(page) || SCANNED.test(page)) return null;
  return isHarmless(page) ? page : null;
}

/** A path looks like a person's folder, so each part is examined as a word. */
const isHarmless = (path: string) =>
  path
    .split("/")
    .filter(Boolean)
    .every((part) => stripIdentifying(part) === part);

function origin({ req }: Context, ownHost: string): string {
  const referer = req.header("referer")?.slice(0, MAX_REFERER_LENGTH);
  const host = hostOf(referer);
  if (host === null || referer === undefined) return "";
  if (host !== ownHost && host !== req.header("host")) return stripIdentifying(host) === host ? host : "";
  return pageAddress(new URL(referer).pathname) ?? "/";
}
