/**
 * Meilisearch's HTTP protocol over the engine. Public: searches, health, version, stats. With the admin key:
 * indexes, documents, settings, tasks, keys. What is neither is left to the application that mounts this one.
 */
import { Hono } from "hono";
import { abandonedAnswer } from "#platform/http/client-abort.ts";
import { SearchError } from "#search/types.ts";
import { requireAdminKey } from "./admin-key.ts";
import type { ContentService } from "./content-service.ts";
import { ApiError } from "./errors.ts";
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
import type { SearchStore } from "./store.ts";

export interface SearchAppOptions {
  store: SearchStore;
  /** Changes indexes; needed together with `adminKey` for the admin routes. */
  content?: ContentService;
  /** Key of the admin routes (`SEARCH_ADMIN_KEY`); absent: they are off. */
  adminKey?: string;
  limits?: Partial<SearchLimits>;
  /** Milliseconds from any origin; default `performance.now`. */
  now?: () => number;
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

  app.onError((error, context) => abandonedAnswer(context) ?? toResponse(error, options.onError));
  const { onSearch } = options;
  app.route("/", searchRoutes({ store, limits, now, ...(onSearch && { onSearch }) }));
  const isDegraded = () => content?.isDegraded ?? false;
  app.route(
    "/",
    statusRoutes({ store, version: options.version ?? UNKNOWN_VERSION, isIndexing, isDegraded }),
  );

  const guard = requireAdminKey(content ? options.adminKey : undefined);
  for (const path of ADMIN_PATHS) app.use(path, guard);
  if (content) {
    // First: it answers for addresses below those of the others.
    app.route("/", featureRoutes({ limits }));
    app.route("/", fieldRoutes({ store, content, limits }));
    app.route("/", indexRoutes({ store, content, limits }));
    app.route("/", documentRoutes({ store, content, limits }));
    app.route("/", settingRoutes({ store, content, limits }));
    app.route("/", taskRoutes({ content }));
    app.route("/", keyRoutes({ adminKey: options.adminKey ?? "" }));
  }
  refuseTheRest(app);
  return app;
}

const PUBLIC_PATHS = ["/multi-search", "/health", "/version", "/stats"];

const ADMIN_PATHS = [
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
  const response = Response.json(error.body(), { status });
  if (retryAfterSeconds !== null) response.headers.set("Retry-After", String(retryAfterSeconds));
  return response;
}
