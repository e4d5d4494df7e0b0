import type { Hono, MiddlewareHandler } from "hono";
import type { CommunityCount } from "./community-count.ts";
import { chooseForm } from "./negotiation.ts";
import type { StaticFiles } from "./static-files.ts";

/** What the site needs of telemetry. Pages never wait for it. */
export interface SiteTelemetry {
  /** Ingest, a reader's own data, the console's API. */
  app: Hono;
  /** Counts pages as they are answered, without a reader. */
  countViews?: MiddlewareHandler;
  /** An error of the server's own; `path` is that of the request that failed. */
  reportError?(error: unknown, path: string | null): void;
  close(): Promise<void>;
}

/** What `server.ts` composes into one application. */
export interface SiteRuntime {
  /** The address that readers see: `https://docs.example.com`. */
  origin: string;
  files: StaticFiles;
  /** Maps a request's path to the path of the file that answers it (content negotiation). */
  pathFor(pathname: string, request: Request): string;
  searchApp: Hono;
  telemetry: SiteTelemetry;
  /** The operator's console, an application of its own; absent until it is built. */
  consoleFiles?: StaticFiles;
  /** What the start says about signing in to it; null: the operator has chosen the token. */
  describeConsole?(): string | null;
  /** Absent where `site.config.ts` names no chat. */
  community?: CommunityCount;
  render(request: Request): Promise<Response>;
  /** Answers an address that is not a page's own; undefined for one that is. Absent in development, where all are rendered. */
  missing?(request: Request): Response | undefined;
  /** The Content-Security-Policy of rendered pages; absent in development, where Vite injects scripts and styles of its own. */
  csp?: string;
  /** Stops what runs in the background. */
  close(): Promise<void>;
}

/** A page of the documentation has its Markdown at the same address, for a client that prefers it (`chooseForm`). */
export function isNegotiated(pathname: string): boolean {
  return /^\/docs(?:\/|$)/.test(pathname) && !/\.\w+$/.test(pathname);
}

/** A page with results is rendered for its query; every other query string leaves a page as it is built. */
export function isResultsPage({ pathname, search, searchParams }: URL): boolean {
  return search !== "" && pathname.startsWith("/docs") && Boolean(searchParams.get("q")?.trim());
}

/** The path of the file that answers: a page's address, or `<address>.md`. */
export function negotiatePath(pathname: string, request: Request): string {
  const path = decodePath(pathname);
  const isMarkdown = isNegotiated(path) && chooseForm(request.headers.get("accept")) === "markdown";
  return isMarkdown ? `${path}.md` : path;
}

/** A path that cannot be decoded stays as it is. */
export function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
