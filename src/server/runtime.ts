import type { ConnectRouter } from "@connectrpc/connect";
import type { Hono, MiddlewareHandler } from "hono";
import type { Callers } from "#accounts/index.ts";
import type { CacheHandlerOptions } from "#cache/index.ts";
import type { StaticFiles } from "#platform/http/static-files.ts";
import type { AnswerRawCall } from "#platform/grpc/raw-methods.ts";
import type { Lack } from "#platform/http/health-routes.ts";
import type { SearchRoutes } from "#search-server/index.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { SiteAppOptions } from "#site/.server/site-app.ts";
import type { OtherProtocols, RoomHandler } from "./listen.ts";
import type { CliDownloads } from "./serve-cli.ts";

/** What the server needs from telemetry; it never waits for telemetry's answer. */
export interface ServerTelemetry {
  /** Ingest, and readers' access to their own data. */
  app: Hono;
  /** Counts answered pages, without identifying readers. */
  countViews?: MiddlewareHandler;
  /** Reports an error of the server; `path` is that of the request that failed. */
  reportError?(error: unknown, path: string | null): void;
  close(): Promise<void>;
}

/** What rooms that answer without the framework need from the server around them. */
export type RoomServerOptions = Pick<CacheHandlerOptions, "listeners" | "admitUpload">;

/** A part of the service, as it describes itself. */
export interface ObservedRoom {
  name: string;
  isReady: () => boolean | Promise<boolean>;
  /** What it cannot do although it is ready, or null. @see healthRoutes */
  lack?: () => Lack | null;
  registerMetrics: (metrics: Metrics) => void;
}

/** All opened parts, from which the mounts are made, in production and in development. */
export interface ServerRuntime extends SiteAppOptions {
  /** The address that readers see: `https://docs.example.com`. */
  origin: string;
  searchRoutes: SearchRoutes;
  telemetry: ServerTelemetry;
  /** Sign-in for people and programs, the API, and the stream of events; absent in measurements and tests. */
  /** Who is known; absent where nobody can be. */
  callers?: Pick<Callers, "recognize" | "takeCall">;
  accountApps?: { people: Hono; api: Hono; events?: Hono };
  /** What comes on the same port and is not HTTP; absent in measurements and tests. */
  others?: OtherProtocols;
  /** Ends what would go on for ever: streams of events, builds. Called when the server begins to stop. */
  endStreams?(): void;
  /** The API's services, for gRPC. */
  grpcRoutes?: (router: ConnectRouter) => void;
  /** The cache over HTTP and the registry, which are not the application's. */
  createRoomHandlers?: (options?: RoomServerOptions) => readonly RoomHandler[];
  /** The cache's calls of the Remote Execution API. */
  grpcCalls?: AnswerRawCall;
  /** What the start says while nobody owns the server; null when somebody does. */
  describeOwner?(): Promise<string | null>;
  /** Whether container builds can run, in one line; absent in measurements and tests. */
  describeBuilders?(): Promise<string>;
  /** The documentation for agents, at `/mcp`; absent in measurements. */
  mcpApp?: Hono;
  /** The console's reports; absent in measurements and tests. */
  consoleApp?: Hono;
  /** The command-line tool; absent in measurements and tests. */
  cli?: CliDownloads;
  /** The application and the console; absent until they are built. */
  consoleFiles?: StaticFiles;
  /** What the operator watches; absent in development. */
  rooms?: readonly ObservedRoom[];
  /** Ends background work. */
  close(): Promise<void>;
}
