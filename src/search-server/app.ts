/**
 * Meilisearch's HTTP protocol over the engine. Public: health, and searches of the indexes in `publicIndexes`. With a key
 * that has the right: other indexes, documents, settings, tasks, keys, statistics (`keys/`). What is no address of the
 * protocol is left to the application that mounts this one.
 */
import { Hono } from "hono";
import { abandonedAnswer } from "#platform/http/client-abort.ts";
import { type AddressOf, connectionAddress } from "#platform/http/client-address.ts";
import { SearchError } from "#search/index.ts";
import type { ContentService } from "./content-service.ts";
import { ApiError } from "./errors.ts";
import { createGatekeeper } from "./keys/gatekeeper.ts";
import { mountGuards, refuseUndecided } from "./keys/guards.ts";
import { ROUTE_RIGHTS, SEARCH_RIGHTS } from "./keys/route-rights.ts";
import { createKeyStore, type KeyStore } from "./keys/key-store.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./limits.ts";
import { documentRoutes } from "./routes/document-routes.ts";
import { featureRoutes } from "./routes/feature-routes.ts";
import { fieldRoutes } from "./routes/field-routes.ts";
import { indexRoutes } from "./routes/index-routes.ts";
import { keyRoutes } from "./routes/key-routes.ts";
import { type SearchListener, searchRoutes } from "./routes/search-routes.ts";
import { settingRoutes } from "./routes/setting-routes.ts";
import { statusRoutes, type VersionInfo } from "./routes/status-routes.ts";
import { taskRoutes } from "./routes/task-routes.ts";
import { createSearchQueue, type SearchQueue } from "./search-queue.ts";
import type { SearchStore } from "./store.ts";

export interface SearchAppOptions {
  store: SearchStore;
  /** Indexes that anybody searches, with or without a key. Everything else needs a key with the right. */
  publicIndexes: readonly string[];
  /** Changes indexes; needed together with `keys` or `adminKey` for the admin routes. */
  content?: ContentService;
  /** The master key (`SEARCH_ADMIN_KEY`); absent: there are no keys, and what needs one is off. */
  adminKey?: string;
  /** The keys made with the master key; absent: the default ones, until the process ends. */
  keys?: KeyStore;
  /** Whose wrong keys are counted together. Default: the connection's address. */
  addressOf?: AddressOf;
  limits?: Partial<SearchLimits>;
  /** Milliseconds from any origin; default `performance.now`. */
  now?: () => number;
  /** Where the searches wait for their turn; default: one of its own. */
  queue?: SearchQueue;
  version?: VersionInfo;
  /** Told of what readers search. */
  onSearch?: SearchListener;
  /** Told of every failure that is a bug of ours, never of a client's mistake. */
  onError?: (error: unknown) => void;
}

const UNKNOWN_VERSION: VersionInfo = { commitSha: "unknown", commitDate: "unknown", pkgVersion: "0.1.0" };

export function createSearchApp(options: SearchAppOptions): Hono {
  const { store, content } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const now = options.now ?? (() => performance.now());
  const isIndexing = (uid: string) => content?.tasks.isProcessing(uid) ?? false;
  const app = new Hono();
  const { onSearch, publicIndexes, addressOf = connectionAddress } = options;
  const { adminKey } = options;
  const opened = options.keys ?? (adminKey ? createKeyStore({ masterKey: adminKey }) : null);
  // Without content routes there is nothing that a key would open.
  const keys = content ? opened : null;
  const identify = createGatekeeper({ keys, publicIndexes, addressOf });
  const isPublic = (uid: string) => publicIndexes.includes(uid);

  app.onError((error, context) => abandonedAnswer(context) ?? toResponse(error, options.onError));
  // Without keys all but searches is closed below; fewer routes let Hono find its fastest way to them.
  mountGuards(app, identify, keys ? ROUTE_RIGHTS : SEARCH_RIGHTS);
  const { queue = createSearchQueue({ limits, now }) } = options;
  const listening = onSearch && { onSearch };
  app.route("/", searchRoutes({ store, limits, now, queue, identify, isPublic, ...listening }));
  refuseUndecided(app, identify, ADMIN_PATHS);
  const isDegraded = () => content?.isDegraded ?? false;
  const version = options.version ?? UNKNOWN_VERSION;
  app.route("/", statusRoutes({ store, version, isIndexing, isDegraded }));
  if (content && keys) {
    // First: it answers for addresses below those of the others.
    app.route("/", featureRoutes({ limits }));
    app.route("/", fieldRoutes({ store, content, limits }));
    app.route("/", indexRoutes({ store, content, limits }));
    app.route("/", documentRoutes({ store, content, limits }));
    app.route("/", settingRoutes({ store, content, limits }));
    app.route("/", taskRoutes({ content }));
    app.route("/", keyRoutes({ keys, limits }));
  }
  refuseTheRest(app);
  return app;
}

const PUBLIC_PATHS = ["/multi-search", "/health"];

const ADMIN_PATHS = [
  "/version",
  "/stats",
  "/indexes",
  "/indexes/*",
  "/swap-indexes",
  "/tasks",
  "/tasks/*",
  "/batches",
  "/batches/*",
  "/keys",
  "/keys/*",
  "/dumps",
  "/snapshots",
  "/experimental-features",
  "/chats",
  "/chats/*",
  "/network",
  "/network/*",
  "/webhooks",
  "/webhooks/*",
];

/** Errors of the protocol for its own addresses; others are the mounting application's. */
function refuseTheRest(app: Hono): void {
  for (const path of PUBLIC_PATHS) {
    app.all(path, ({ req }) => {
      throw new ApiError("method_not_allowed", `${req.path} does not answer ${req.method}.`);
    });
  }
  for (const path of ADMIN_PATHS) {
    app.all(path, ({ req }) => {
      throw new ApiError("not_found", `${req.method} ${req.path} is not a route of this server.`);
    });
  }
}

export function toResponse(error: unknown, onError: ((error: unknown) => void) | undefined): Response {
  if (error instanceof ApiError) return errorResponse(error);
  if (error instanceof SearchError)
    return errorResponse(new ApiError(error.code, error.message, { cause: error }));
  onError?.(error);
  return errorResponse(new ApiError("internal", "An internal error has occurred.", { cause: error }));
}

function errorResponse(error: ApiError): Response {
  const { status, retryAfterSeconds } = error;
  const headers = { ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }) };
  return Response.json(error.body(), { status, headers });
}
