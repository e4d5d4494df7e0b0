/**
 * Meilisearch's HTTP protocol over the engine, in two places:
 *
 *   /search/…    all of it, for clients whose `host` is `{{origin}}/search`. Searches of the indexes in `publicIndexes`
 *                are open; documents, settings, tasks, keys and the rest need a key that has the right (`keys/`)
 *   /            what the site's own pages use: searches and `/health`
 *
 * Both share one queue, one cache of answers and one count of wrong keys.
 */
import { type Context, Hono } from "hono";
import { abandonedAnswer } from "#platform/http/connections/client-abort.ts";
import { type AddressOf, connectionAddress } from "#platform/http/addresses/client-address.ts";
import type { ContentService } from "./changes/content-service.ts";
import { toResponse } from "./protocol/errors.ts";
import { createGatekeeper, type Identify } from "./keys/gatekeeper.ts";
import { mountGuards, refuseUndecided } from "./keys/guards.ts";
import { ROUTE_RIGHTS, SEARCH_RIGHTS } from "./keys/route-rights.ts";
import { createKeyStore, type KeyStore } from "./keys/key-store.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./protocol/limits.ts";
import { batchRoutes } from "./routes/batch-routes.ts";
import { documentRoutes } from "./routes/document-routes.ts";
import { featureRoutes } from "./routes/feature-routes.ts";
import { fieldRoutes } from "./routes/field-routes.ts";
import { indexRoutes } from "./routes/index-routes.ts";
import { keyRoutes } from "./routes/key-routes.ts";
import { type SearchListener, searchRoutes } from "./routes/search-routes.ts";
import { refuseUnknown } from "./routes/refuse.ts";
import { ruleRoutes } from "./routes/rule-routes.ts";
import { settingRoutes } from "./routes/setting-routes.ts";
import { healthRoutes, statusRoutes, type VersionInfo } from "./routes/status-routes.ts";
import { similarRoutes } from "./routes/similar-routes.ts";
import { taskRoutes } from "./routes/task-routes.ts";
import { templateRoutes } from "./routes/template-routes.ts";
import { webhookRoutes } from "./routes/webhook-routes.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";
import { createSearchQueue, type SearchQueue } from "./searches/queue.ts";
import type { SearchStore } from "./catalog/store.ts";

export interface SearchRoutesOptions {
  store: SearchStore;
  /** Indexes that anyone may search, with or without a key. Everything else needs a key with the right. */
  publicIndexes: readonly string[];
  /** Changes indexes; needed together with `keys` or `adminKey` for the admin routes. */
  content?: ContentService;
  /** The master key (`SEARCH_ADMIN_KEY`); without it there are no keys, and routes that need one are off. */
  adminKey?: string;
  /** The keys made with the master key; absent: the default ones, until the process ends. */
  keys?: KeyStore;
  /** Receivers of finished tasks; absent: an empty list, until the process ends. */
  webhooks?: Webhooks;
  /** The address by which wrong keys are counted. Default: the connection's address. */
  addressOf?: AddressOf;
  limits?: Partial<SearchLimits>;
  /** Milliseconds from any origin; default `performance.now`. */
  now?: () => number;
  /** The queue of waiting searches; default: a new queue. */
  queue?: SearchQueue;
  version?: VersionInfo;
  /** Called with what readers search. */
  onSearch?: SearchListener;
  /** Called with every failure that is a bug, never with a client's mistake. */
  onError?: (error: unknown) => void;
}

const UNKNOWN_VERSION: VersionInfo = { commitSha: "unknown", commitDate: "unknown", pkgVersion: "0.1.0" };

/** Two applications to be mounted; see above. */
export interface SearchRoutes {
  /** The whole protocol, for `/search`; it answers every address below. */
  admin: Hono;
  /** Searches and health, for `/`; other addresses belong to the mounting application. */
  public: Hono;
  /** The key in a request; null: no valid key. Absent in tests that have no keys. */
  keyOf?: (context: Context) => string | null;
}

export function createSearchRoutes(options: SearchRoutesOptions): SearchRoutes {
  const { content, adminKey, onSearch, publicIndexes, addressOf = connectionAddress } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const now = options.now ?? (() => performance.now());
  const opened = options.keys ?? (adminKey ? createKeyStore({ masterKey: adminKey }) : null);
  // Without content routes there is nothing for a key to open.
  const keys = content ? opened : null;
  const { identify, keyOf } = createGatekeeper({ keys, publicIndexes, addressOf });
  const isPublic = (uid: string) => publicIndexes.includes(uid);
  const { store, queue = createSearchQueue({ limits, now }) } = options;
  const listening = onSearch && { onSearch };
  const searches = searchRoutes({ store, limits, now, queue, identify, isPublic, ...listening });
  const similar = similarRoutes({ store, limits, now, queue, isPublic });
  const health = healthRoutes(() => content?.isDegraded ?? false);
  const parts: Parts = { ...options, limits, keys, identify, searches, similar, health };
  return { admin: createAdminRoutes(parts), public: createPublicRoutes(parts), keyOf };
}

interface Parts extends Omit<SearchRoutesOptions, "keys"> {
  limits: SearchLimits;
  keys: KeyStore | null;
  identify: Identify;
  searches: Hono;
  similar: Hono;
  health: Hono;
}

/** With few routes Hono can use its fastest router for searches. */
function createPublicRoutes({ identify, searches, health, onError }: Parts): Hono {
  const app = new Hono();
  app.onError((error, context) => abandonedAnswer(context) ?? toResponse(error, onError));
  mountGuards(app, identify, SEARCH_RIGHTS);
  app.route("/", searches);
  app.route("/", health);
  return app;
}

function createAdminRoutes(parts: Parts): Hono {
  const { store, content, limits, keys, identify, searches, similar, health, onError } = parts;
  const app = new Hono();
  app.onError((error, context) => abandonedAnswer(context) ?? toResponse(error, onError));
  // Without keys everything but searches is closed below.
  mountGuards(app, identify, keys ? ROUTE_RIGHTS : SEARCH_RIGHTS);
  app.route("/", searches);
  app.route("/", similar);
  refuseUndecided(app, identify, PROTOCOL_PATHS);
  app.route("/", health);
  const isIndexing = (uid: string) => content?.tasks.isProcessing(uid) ?? false;
  const isListed = (uid: string) => content?.isListed(uid) ?? true;
  const version = parts.version ?? UNKNOWN_VERSION;
  app.route("/", statusRoutes({ store, version, isIndexing, isListed }));
  if (content && keys) {
    // First, because it answers addresses below those of the others.
    app.route("/", featureRoutes({ content, limits }));
    app.route("/", ruleRoutes({ content, limits }));
    app.route("/", fieldRoutes({ store, content, limits }));
    app.route("/", indexRoutes({ store, content, limits }));
    app.route("/", documentRoutes({ store, content, limits }));
    app.route("/", settingRoutes({ store, content, limits }));
    app.route("/", taskRoutes({ content }));
    app.route("/", templateRoutes({ store, content, limits }));
    app.route("/", batchRoutes({ content }));
    app.route("/", keyRoutes({ keys, limits }));
    app.route(
      "/",
      webhookRoutes({
        webhooks: parts.webhooks ?? createWebhooks({ listed: new Set(), onError: onError ?? (() => {}) }),
        limits,
      }),
    );
  }
  app.all("*", refuseUnknown);
  return app;
}

/** Addresses whose guard comes before the 404. */
const PROTOCOL_PATHS = [
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
  "/export",
  "/logs/*",
  "/metrics",
  "/render-template",
  "/dynamic-search-rules",
  "/dynamic-search-rules/*",
  "/experimental-features",
  "/chats",
  "/chats/*",
  "/network",
  "/network/*",
  "/webhooks",
  "/webhooks/*",
];
