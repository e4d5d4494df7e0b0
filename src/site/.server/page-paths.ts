import { trimSlashes } from "#platform/text/trim-slashes.ts";
import { readRefinement, writeSearch } from "../docs/search/refinement.ts";
import { asksForSetup, formatSetup, setupOfAddress } from "../docs/anywhere/setup/setup.ts";
import { chooseForm } from "#platform/http/negotiation.ts";

/** The documentation, or an edition of it. */
const DOCS = /^(?:\/[^/]+)?\/docs(?:\/|$)/;

/** A documentation page also serves Markdown at its address, to clients that prefer it (`chooseForm`). */
export function isNegotiated(pathname: string): boolean {
  return DOCS.test(pathname) && !/\.\w+$/.test(pathname);
}

/** A page with results or a setup is rendered on request; any other query string leaves the built page unchanged. */
export function isRenderedPage({ pathname, search, searchParams }: URL): boolean {
  if (search === "" || !DOCS.test(pathname)) return false;
  return Boolean(searchParams.get("q")?.trim()) || asksForSetup(search);
}

/** The short address for a setup form that was sent without a script, with its search; undefined for all other addresses. */
export function shortSetupAddress({ pathname, search, searchParams }: URL): string | undefined {
  if (!DOCS.test(pathname) || searchParams.getAll("setup").length < 2) return undefined;
  const setup = formatSetup(setupOfAddress(search));
  const searched = new URLSearchParams();
  writeSearch(searched, searchParams.get("q") ?? "", readRefinement(search));
  const parameters = [setup && `setup=${setup}`, `${searched}`].filter(Boolean);
  // Never start with two slashes: that would be another host.
  return `/${trimSlashes(pathname)}${parameters.length > 0 ? "?" : ""}${parameters.join("&")}`;
}

/** The path of the file to serve: a page's address, or `<address>.md`. */
export function negotiatePath(pathname: string, request: Request): string {
  const path = decodePath(pathname);
  const isMarkdown = isNegotiated(path) && chooseForm(request.headers.get("accept")) === "markdown";
  return isMarkdown ? `${path}.md` : path;
}

/** A path that cannot be decoded is returned unchanged. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
