/**
 * Answers every address that has no page, from memory. The "not found" page is rendered once, by the build
 * (`404.html`, `docs/404.html` and their `.data`), so that a thousand requests for missing pages cost about
 * as much as a thousand for existing ones. Below /docs the nearest pages are added, in HTML and Markdown. A
 * page's address in different letter case redirects to the page.
 */
import type { ServerBuild } from "react-router";
import { currentPath } from "#docs/content/editions/edition.ts";
import { SUGGESTIONS_PLACE } from "../docs/suggestions-place.ts";
import { fillablePage } from "./fillable-page.ts";
import { chooseForm } from "#platform/http/negotiation.ts";
import { decodePath } from "./page-paths.ts";
import {
  fileHeaders,
  sendFile,
  staticFile,
  type StaticFile,
  type StaticFiles,
} from "#platform/http/static-files.ts";
import type { Suggestions } from "./suggestions.ts";

/** Not cached: the page may exist tomorrow. */
const CACHE_CONTROL = "no-store";

interface Options {
  /** The built pages; the "not found" pages are removed from them. */
  files: StaticFiles;
  /** Paths that are rendered on request, in lower case. */
  routes: Set<string>;
  /** Whether the documentation has a page at a path. */
  hasPage(path: string): boolean;
  /** Pages that the reader of an address below /docs may have meant. */
  suggest(path: string): Suggestions;
  origin: string;
}

/** The names of the prerendered pages, without extension; the documentation's has its frame. */
export const MISSING_PAGES = ["/404", "/docs/404"] as const;

/** @returns undefined for an address that is rendered. @throws if the build lacks the pages. */
export function createMissingPages(options: Options): (request: Request) => Response | undefined {
  const [site, siteData, docs, docsData] = MISSING_PAGES.flatMap((page) => [
    takeFile(options.files, page),
    takeFile(options.files, `${page}.data`),
  ]) as [StaticFile, StaticFile, StaticFile, StaticFile];
  // What an edition lacks, the documentation of now may have.
  const suggest = (path: string) => options.suggest(currentPath(path));
  const fillDocs = fillablePage(docs, SUGGESTIONS_PLACE);
  const markdownOf = (path: string) =>
    memoryFile("404.md", missingMarkdown(options.origin) + (isBelowDocs(path) ? suggest(path).markdown : ""));
  const text = memoryFile("404.txt", "There is no page at this address.\n");

  return (request) => {
    const { pathname, search } = new URL(request.url);
    const path = decodePath(pathname);
    const address = addressOf(path, options);
    if (address === path) return undefined;
    if (address)
      return new Response(null, { status: 308, headers: { Location: encodeURI(address) + search } });
    const isDocs = isBelowDocs(path);
    if (path.endsWith(".data")) return send(isDocs ? docsData : siteData, request);
    if (path.endsWith(".md")) return send(markdownOf(path.slice(0, -".md".length)), request);
    const form = chooseForm(request.headers.get("accept"));
    if (form === "text") return send(text, request);
    if (form === "markdown") return send(markdownOf(path), request);
    return send(isDocs ? fillDocs(suggest(path).html) : site, request);
  };
}

const isBelowDocs = (path: string) => /^\/docs\/|^\/[^/]+\/docs(?:\/|$)/.test(path);

function takeFile(files: StaticFiles, path: string): StaticFile {
  const file = files.get(path);
  if (!file) throw new Error(`The build has no ${path}: remove the build folder and run the command again.`);
  files.delete(path);
  return { ...file, cacheControl: CACHE_CONTROL };
}

const memoryFile = (name: string, text: string) => ({
  ...staticFile(name, Buffer.from(text)),
  cacheControl: CACHE_CONTROL,
});

function send(file: StaticFile, request: Request): Response {
  // The router reads an answer with status 404 to a `.data` request only with this header.
  const isData = file.type === "text/x-script";
  const headers = { ...fileHeaders(file, true), ...(isData && { "X-Remix-Response": "yes" }) };
  return sendFile(file, request, { status: 404, headers });
}

/**
 * The canonical address of the page that React Router would render for a path; undefined if it renders nothing. The
 * router ignores letter case and a trailing slash; `<page>.data` is a page's data, and `/_.data` is the data of `/`.
 */
function addressOf(path: string, { routes, hasPage }: Options): string | undefined {
  const isData = path.endsWith(".data");
  const page = (isData ? path.replace(/(?:\/_)?\.data$/, "") : path) || "/";
  const lower = page.toLowerCase();
  const docs = /^(?:\/[^/]+)?\/docs(?=\/|$)/.exec(lower)?.[0];
  const address = docs === undefined ? lower : docs + page.slice(docs.length);
  if (!routes.has(address) && !hasPage(address)) return undefined;
  if (!isData) return address;
  return address === "/" ? "/_.data" : `${address}.data`;
}

/** The build's routes with exactly one address: not `docs/*`, whose pages are content, nor the final `*`. */
export function routePaths({ routes }: Pick<ServerBuild, "routes">): Set<string> {
  const paths = Object.values(routes).flatMap((route) => {
    // None of the site's layouts has a path.
    if (!route || (route.path === undefined && !route.index)) return [];
    return route.path?.includes("*") ? [] : [`/${route.path ?? ""}`];
  });
  return new Set(paths.map((path) => path.toLowerCase()));
}

function missingMarkdown(origin: string): string {
  return (
    "# Page not found\n\nThe address may have moved, or it was never here. " +
    `Every page of the documentation is listed in ${origin}/llms.txt; ${origin}/docs?q=words searches them.\n`
  );
}
