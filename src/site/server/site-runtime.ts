import type { Hono, MiddlewareHandler } from "hono";
import type { CommunityCount } from "./community-count.ts";
import type { StaticFiles } from "./static-files.ts";

/** What the site needs of telemetry; it goes on without an answer of it. */
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
  isDevelopment?: boolean;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

/**
 * A client that prefers Markdown (`Accept: text/markdown`, as coding agents send it) gets the page's Markdown at the
 * page's own address.
 */
export function negotiatePath(pathname: string, request: Request): string {
  const path = decodePath(pathname);
  const isPage = path.startsWith("/docs") && !/\.\w+$/.test(path);
  if (isPage && prefersMarkdown(request.headers.get("accept") ?? "")) return `${path}.md`;
  return path;
}

function prefersMarkdown(accept: string): boolean {
  const quality = (type: string) => {
    const entry = accept.split(",").find((part) => part.trim().split(";")[0] === type);
    if (!entry) return 0;
    return Number(/;\s*q=([\d.]+)/.exec(entry)?.[1] ?? 1);
  };
  return quality("text/markdown") > quality("text/html");
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
