/**
 * How the worker answers a request of a documentation page:
 *
 *   page, its data, its text, a search       the network, or the copy if the network fails or takes too long
 *   file with a hash in its name             the copy first: it cannot differ
 *   anything else                            not handled, as if there were no worker
 *
 * Answers from the network are passed on and never stored.
 */
import {
  COPY_WAIT_MS,
  NETWORK_WAIT_MS,
  SEARCH_WAIT_MS,
  SLOW_NETWORK_MS,
  SLOW_NETWORK_WAIT_MS,
} from "./limits.ts";
import { fillSearchBox } from "./page-mark.ts";
import { MISSING_PATH, SCOPE } from "./pack-info.ts";

type Kind = "page" | "data" | "text" | "search" | "file";

/** The kind of a request, and its path in the copy. */
export interface Asked {
  kind: Kind;
  path: string;
  /** `?q=` of a page. */
  query: string;
}

/** The fields of a `Request` that decide its kind. */
export interface AskedRequest {
  method: string;
  url: string;
  mode: string;
  headers: { get: (name: string) => string | null };
}

/** @returns null if the worker does not handle the request */
export function readAsked(request: AskedRequest, origin: string): Asked | null {
  const url = new URL(request.url);
  if (url.origin !== origin || request.headers.get("authorization") !== null) return null;
  const { pathname } = url;
  if (request.method === "POST")
    return pathname === "/multi-search" ? { kind: "search", path: pathname, query: "" } : null;
  if (request.method !== "GET") return null;
  const isFile = pathname.startsWith("/assets/") || /^\/[\w-]+\.(?:svg|png|ico)$/.test(pathname);
  if (isFile) return { kind: "file", path: pathname, query: "" };
  const path = pathname.replace(/\/$/, "");
  if (path !== SCOPE && !path.startsWith(`${SCOPE}/`) && path !== `${SCOPE}.data` && path !== `${SCOPE}.md`)
    return null;
  if (path.endsWith(".data")) return { kind: "data", path, query: "" };
  if (/\.(?:md|json)$/.test(path)) return { kind: "text", path, query: "" };
  if (request.mode === "navigate")
    return { kind: "page", path, query: url.searchParams.get("q")?.trim() ?? "" };
  const wantsMarkdown = request.headers.get("accept")?.startsWith("text/markdown") ?? false;
  return wantsMarkdown ? { kind: "text", path: `${path}.md`, query: "" } : null;
}

export interface Sources {
  /** Returns the copy's file; undefined if it has none at this path. */
  find: (path: string) => Promise<Response | undefined>;
  /** Answers the body of a search from the copy's index; undefined without an index. */
  search: (body: string) => Promise<Response | undefined>;
  fetch: (request: Request) => Promise<Response>;
  /** Resolves after this time. */
  wait: (milliseconds: number) => Promise<void>;
  now: () => number;
}

/** Other fields of a request. */
interface Sent {
  url: string;
  /** The body of a search; else "". */
  body: string;
}

/** Rejects if neither network nor copy can answer. `onReached`: called when the server itself has answered a page. */
type Answer = (request: Request, asked: Asked, onReached?: () => void) => Promise<Response>;

export function createAnswerer(sources: Sources): Answer {
  let slowUntil = 0;

  /** @returns undefined if the network failed, was too slow, or a proxy reports that the server is down */
  async function reach(
    answer: Promise<Response>,
    { kind }: Asked,
    url: string,
  ): Promise<Response | undefined> {
    const usualWaitMs = kind === "search" ? SEARCH_WAIT_MS : NETWORK_WAIT_MS;
    const isSlow = sources.now() < slowUntil;
    const late = sources.wait(isSlow ? SLOW_NETWORK_WAIT_MS : usualWaitMs).then(() => "late" as const);
    const first = await Promise.race([answer.catch(() => undefined), late]);
    if (first === "late") slowUntil = sources.now() + SLOW_NETWORK_MS;
    if (!first || first === "late" || [502, 503, 504].includes(first.status)) return undefined;
    // The browser itself decides about redirected pages; it gives a page no other data from another origin.
    if (first.redirected && new URL(first.url).origin !== new URL(url).origin) return undefined;
    // Networks that require users to sign in answer every request with a page.
    if (kind !== "page" && first.headers.get("content-type")?.startsWith("text/html")) return undefined;
    if (!isSlow) return first;
    slowUntil = 0;
    return first;
  }

  async function fromCopy({ kind, path, query }: Asked, { url, body }: Sent): Promise<Response | undefined> {
    if (kind === "search") return sources.search(body);
    const found = await sources.find(path);
    if (found?.status === 308) return withQuery(found, url);
    if (kind === "page" && found && query) {
      const { status, headers } = found;
      return new Response(fillSearchBox(await found.text(), query), { status, headers });
    }
    if (found || (kind !== "page" && kind !== "data")) return found;
    return sources.find(MISSING_PATH + (kind === "data" ? ".data" : ""));
  }

  /** If the disk fails or does not answer, the copy counts as empty. */
  const inTime = (found: Promise<Response | undefined>) =>
    Promise.race([found.catch(() => undefined), sources.wait(COPY_WAIT_MS).then(() => undefined)]);

  return async (request, asked, onReached) => {
    if (asked.kind === "file") return (await inTime(sources.find(asked.path))) ?? sources.fetch(request);
    const body = asked.kind === "search" ? await request.clone().text() : "";
    const answer = sources.fetch(request);
    const reached = await reach(answer, asked, request.url);
    if (reached) {
      if (asked.kind === "page") onReached?.();
      return reached;
    }
    // Without a copy, the network's answer is passed on, even if it is late or an error.
    return (await inTime(fromCopy(asked, { url: request.url, body }))) ?? answer;
  };
}

/** Redirects to the new address of a page that has moved, with the old address's query, like the server. */
function withQuery(response: Response, url: string): Response {
  const [page = "", ...anchor] = (response.headers.get("Location") ?? "").split("#");
  const Location = [page + new URL(url).search, ...anchor].join("#");
  return new Response(null, { status: 308, headers: { Location } });
}
