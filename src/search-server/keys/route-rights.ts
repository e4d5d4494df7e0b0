/**
 * The right that each route needs. Unlisted routes are open to the master key and to keys with all rights.
 */
import type { Action } from "./actions.ts";

export interface RouteRight {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "ALL";
  path: string;
  action: Action;
  /** The feature that this server does not have, so that it refuses the route by name. */
  leftOut?: string;
  /** It acts on the whole server, so that a key of some indexes does not suffice. */
  isOfServer?: true;
}

const right = (method: RouteRight["method"], path: string, action: Action, leftOut?: string): RouteRight => ({
  method,
  path,
  action,
  ...(leftOut !== undefined && { leftOut }),
});

const serverRight = (method: RouteRight["method"], path: string, action: Action): RouteRight => ({
  ...right(method, path, action),
  isOfServer: true,
});

const FUNCTIONS = "Editing documents by function";
const CHAT = "Chat completions";
const NETWORK = "A network of servers";
const DUMPS = "Dumps: stop the server and copy its folder of indexes instead";
const SNAPSHOTS = "Snapshots: stop the server and copy its folder of indexes instead";
const EXPORT = "Export to another server";
const LOGS = "Reading the log over HTTP";
const METRICS = "Metrics below this address: the server has its own";
const COMPACTION = "Compaction: an index has no unused space";

/**
 * With `:uid` below `/indexes` the right must cover that index; other routes check what they name themselves.
 */
export const ROUTE_RIGHTS: readonly RouteRight[] = [
  right("GET", "/indexes/:uid/search", "search"),
  right("POST", "/indexes/:uid/search", "search"),
  right("POST", "/indexes/:uid/facet-search", "search"),
  right("GET", "/indexes/:uid/similar", "search"),
  right("POST", "/indexes/:uid/similar", "search"),

  right("GET", "/version", "version"),
  right("GET", "/stats", "stats.get"),
  right("GET", "/indexes/:uid/stats", "stats.get"),

  right("GET", "/indexes", "indexes.get"),
  right("POST", "/indexes", "indexes.create"),
  right("GET", "/indexes/:uid", "indexes.get"),
  right("PATCH", "/indexes/:uid", "indexes.update"),
  right("DELETE", "/indexes/:uid", "indexes.delete"),
  right("POST", "/indexes/:uid/fields", "indexes.get"),
  right("POST", "/swap-indexes", "indexes.swap"),

  right("GET", "/indexes/:uid/documents", "documents.get"),
  right("POST", "/indexes/:uid/documents/fetch", "documents.get"),
  right("GET", "/indexes/:uid/documents/:id", "documents.get"),
  right("POST", "/indexes/:uid/documents", "documents.add"),
  right("PUT", "/indexes/:uid/documents", "documents.add"),
  right("ALL", "/indexes/:uid/documents/edit", "documents.add", FUNCTIONS),
  right("DELETE", "/indexes/:uid/documents", "documents.delete"),
  right("DELETE", "/indexes/:uid/documents/:id", "documents.delete"),
  right("POST", "/indexes/:uid/documents/delete-batch", "documents.delete"),
  right("POST", "/indexes/:uid/documents/delete", "documents.delete"),

  right("GET", "/indexes/:uid/settings", "settings.get"),
  right("PATCH", "/indexes/:uid/settings", "settings.update"),
  right("DELETE", "/indexes/:uid/settings", "settings.update"),
  right("GET", "/indexes/:uid/settings/:setting", "settings.get"),
  right("PUT", "/indexes/:uid/settings/:setting", "settings.update"),
  right("PATCH", "/indexes/:uid/settings/:setting", "settings.update"),
  right("DELETE", "/indexes/:uid/settings/:setting", "settings.update"),
  right("ALL", "/indexes/:uid/settings/chat", "settings.get", CHAT),

  right("GET", "/tasks", "tasks.get"),
  right("GET", "/tasks/:uid", "tasks.get"),
  right("GET", "/tasks/:uid/documents", "tasks.get"),
  right("POST", "/tasks/cancel", "tasks.cancel"),
  right("DELETE", "/tasks", "tasks.delete"),
  right("GET", "/batches", "tasks.get"),
  right("GET", "/batches/:uid", "tasks.get"),

  right("GET", "/keys", "keys.get"),
  right("GET", "/keys/:key", "keys.get"),
  right("POST", "/keys", "keys.create"),
  right("PATCH", "/keys/:key", "keys.update"),
  right("DELETE", "/keys/:key", "keys.delete"),

  right("GET", "/experimental-features", "experimental.get"),
  serverRight("PATCH", "/experimental-features", "experimental.update"),
  serverRight("POST", "/dynamic-search-rules", "dynamicSearchRules.get"),
  serverRight("DELETE", "/dynamic-search-rules", "dynamicSearchRules.delete"),
  serverRight("GET", "/dynamic-search-rules/:uid", "dynamicSearchRules.get"),
  serverRight("PATCH", "/dynamic-search-rules/:uid", "dynamicSearchRules.update"),
  serverRight("DELETE", "/dynamic-search-rules/:uid", "dynamicSearchRules.delete"),
  right("ALL", "/chats", "chats.get", CHAT),
  right("ALL", "/chats/*", "chats.get", CHAT),
  right("ALL", "/network", "network.get", NETWORK),
  right("ALL", "/network/*", "network.get", NETWORK),
  right("ALL", "/dumps", "dumps.create", DUMPS),
  right("ALL", "/snapshots", "snapshots.create", SNAPSHOTS),
  right("ALL", "/export", "*", EXPORT),
  right("ALL", "/logs/*", "*", LOGS),
  right("ALL", "/metrics", "metrics.get", METRICS),
  // The route also requires `settings.get`, and both for the indexes that its body names.
  right("POST", "/render-template", "documents.get"),
  right("ALL", "/indexes/:uid/compact", "*", COMPACTION),
  serverRight("GET", "/webhooks", "webhooks.get"),
  serverRight("POST", "/webhooks", "webhooks.create"),
  serverRight("GET", "/webhooks/:uuid", "webhooks.get"),
  serverRight("PATCH", "/webhooks/:uuid", "webhooks.update"),
  serverRight("DELETE", "/webhooks/:uuid", "webhooks.delete"),
];

/** The rights of routes that readers use. */
export const SEARCH_RIGHTS = ROUTE_RIGHTS.filter(({ action }) => action === "search");

export interface Route extends Omit<RouteRight, "action"> {
  /** The right of the key; null: no key is needed, or the indexes that the body names decide. */
  action: Action | null;
}

/** Every route, for the documentation. */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/health", action: null },
  { method: "POST", path: "/multi-search", action: null },
  ...ROUTE_RIGHTS,
];
