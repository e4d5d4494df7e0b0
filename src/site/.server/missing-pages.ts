/**
 * Answers every address that is not the one of a page, from memory. The page that says so is rendered once, by the build
 * (`404.html`, `docs/404.html` and their `.data`), so that asking for a thousand absent pages costs about as much as asking
 * for a thousand that exist. Below /docs the nearest pages are put into it, in HTML and Markdown. A page's address in other
 * letters leads to the page.
 */
import type { ServerBuild } from "react-router";
import { suggestionsPlace } from "../docs/suggestions-place.ts";
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

/** There may be a page tomorrow. */
const cacheControl = "no-store";

interface Options {
  /** The built pages; those that this answers with are taken out of them. */
  files: StaticFiles;
  /** Paths of what is rendered when it is asked for, in lower case. */
  routes: Set<string>;
  /** Whether the documentation has a page at a path. */
  hasPage(path: string): boolean;
  /** What may have been meant by an address below /docs. */
  suggest(path: string): Suggestions;
  origin: string;
}

/** The names of the prerendered pages, without extension; the documentation's has its frame. */
export const missingPages = ["/404", "/docs/404"] as const;

/** @returns undefined for an address that is rendered. @throws when the build has no such page. */
export function createMissingPages(options: Options): (request: Request) => Response | undefined {
  const [site, siteData, docs, docsData] = missingPages.flatMap((page) => [
    takeFile(options.files, page),
    takeFile(options.files, `${page}.data`),
  ]) as [StaticFile, StaticFile, StaticFile, StaticFile];
  const fillDocs = fillablePage(docs, suggestionsPlace);
  const markdownOf = (path: string) =>
    memoryFile(
      "404.md",
      missingMarkdown(options.origin) + (isBelowDocs(path) ? options.suggest(path).markdown : ""),
    );
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
    return send(isDocs ? fillDocs(options.suggest(path).html) : site, request);
  };
}

const isBelowDocs = (path: string) => path.startsWith("/docs/");

function takeFile(files: StaticFiles, path: string): StaticFile {
  const file = files.get(path);
  if (!file) throw new Error(`The build has no ${path}: remove the build folder and run the command again.`);
  files.delete(path);
  return { ...file, cacheControl };
}

const memoryFile = (name: string, text: string) => ({ ...staticFile(name, Buffer.from(text)), cacheControl });

function send(file: StaticFile, request: Request): Response {
  // The router reads the answer to a `.data` request of status 404 only with this header.
  const isData = file.type === "text/x-script";
  const headers = { ...fileHeaders(file, true), ...(isData && { "X-Remix-Response": "yes" }) };
  return sendFile(file, request, { status: 404, headers });
}

/**
 * The one address of what React Router would render for a path; undefined when that is nothing. For the router neither
 * letter case nor a slash at the end counts; `<page>.data` is a page's data, and `/_.data` that of `/`.
 */
function addressOf(path: string, { routes, hasPage }: Options): string | undefined {
  const isData = path.endsWith(".data");
  const page = (isData ? path.replace(/(?:\/_)?\.data$/, "") : path) || "/";
  const lower = page.toLowerCase();
  const address = lower.startsWith("/docs") ? `/docs${page.slice("/docs".length)}` : lower;
  if (!routes.has(address) && !hasPage(address)) return undefined;
  if (!isData) return address;
  return address === "/" ? "/_.data" : `${address}.data`;
}

/** The routes of a build that stand at one address each: not `docs/*`, whose pages are content, and not the last, `*`. */
export function routePaths({ routes }: Pick<ServerBuild, "routes">): Set<string> {
  const paths = Object.values(routes).flatMap((route) => {
    // All of the site's layouts are without a path.
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
