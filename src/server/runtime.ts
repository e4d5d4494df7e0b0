import type { Hono, MiddlewareHandler } from "hono";
import type { StaticFiles } from "#platform/http/static-files.ts";
import type { SearchRoutes } from "#search-server/index.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { SiteAppOptions } from "#site/.server/site-app.ts";

/** What the server needs of telemetry; it goes on without an answer of it. */
export interface ServerTelemetry {
  /** Ingest, a reader's own data, the console's API. */
  app: Hono;
  /** Counts pages as they are answered, without a reader. */
  countViews?: MiddlewareHandler;
  /** An error of the server's own; `path` is that of the request that failed. */
  reportError?(error: unknown, path: string | null): void;
  close(): Promise<void>;
}

/** A part of the service, as it says it itself. */
export interface ObservedRoom {
  name: string;
  isReady: () => boolean | Promise<boolean>;
  registerMetrics: (metrics: Metrics) => void;
}

/** Every part, opened: what the mounts are made from, in production and in development. */
export interface ServerRuntime extends SiteAppOptions {
  /** The address that readers see: `https://docs.example.com`. */
  origin: string;
  searchRoutes: SearchRoutes;
  telemetry: ServerTelemetry;
  /** The operator's console, an application of its own; absent until it is built. */
  consoleFiles?: StaticFiles;
  /** What the start says about signing in to it; null: the operator has chosen the token. */
  describeConsole?(): string | null;
  /** What the operator watches; absent in development. */
  rooms?: readonly ObservedRoom[];
  /** Ends what runs in the background. */
  close(): Promise<void>;
}
