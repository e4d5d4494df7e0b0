/**
 * Which part answers which address. A part owns its addresses and answers anything unknown below them (404,
 * 405) in its own protocol; the site gets what no line names.
 *
 *     POST /multi-search         search       Meilisearch's protocol, JSON
 *     POST /search/indexes       search-api   the same, for its own clients and with a key
 *     POST /mcp                  mcp          the Model Context Protocol, for agents that read the pages
 *     POST /ingest/e             telemetry    PostHog's protocol, JSON
 *     GET  /app/sign-in          app          the application, HTML
 *     GET  /app/acme/events      app-events   what happens in an organization, as a stream
 *     POST /auth/passkey         accounts     sign-in, JSON; /oauth for programs
 *     POST /api/millrace.v1…     api          Connect's protocol
 *     GET  /console/pages        console      the operator's console, HTML
 *     GET  /cli/millrace.tgz     cli          the command-line tool, and /install.sh
 *     GET  /docs/faq             site         pages
 *
 * Build tools' requests (`/cache/…`) and gRPC's do not come here: `listen.ts` hands them to handlers of their own.
 */
import { Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { createAppPage } from "#app/.server/app-page.ts";
import { createConsolePage } from "#app/.server/console-page.ts";
import { createFramePage } from "#app/.server/frame-page.ts";
import { createSiteApp } from "#site/.server/site-app.ts";
import { answerCallFailure } from "./call-failure.ts";
import type { Edge } from "./edge.ts";
import { createMountFinder, type Mount, refuseAsJson } from "./mount-table.ts";
import type { ServerRuntime } from "./runtime.ts";
import { createCliMount, nameCli } from "./serve-cli.ts";

/** The addresses for searches, of both providers. */
const SEARCH_PATHS = ["/multi-search", "/indexes/:uid/search", "/indexes/:uid/facet-search"];
const TELEMETRY_PATHS = [
  "/ingest/*",
  "/insights/*",
  "/errors/*",
  "/feedback",
  "/your-data/export",
  "/your-data/erase",
];

/** The table, readable from top to bottom; its order does not matter. */
export function createMounts(runtime: ServerRuntime, edge: Edge, operatorApp: Hono = new Hono()): Mount[] {
  const { searchRoutes, telemetry, accountApps, consoleFiles, cli } = runtime;
  const { consoleApp = new Hono(), mcpApp = new Hono() } = runtime;
  // What a page asks itself goes the way of what its reader's browser asks: the same limits, the same rights.
  const answerFrame = createFramePage(
    consoleFiles,
    (context) => async (request) =>
      findMount(new URL(request.url).pathname).app.fetch(request, context.env as object),
  );
  const adminSearch = searchApp("/search", searchRoutes.admin, edge);
  const mounts: Mount[] = [
    {
      part: "search",
      paths: [...SEARCH_PATHS, "/health"],
      app: searchApp("", searchRoutes.public, edge),
      takesTurns: true,
    },
    { part: "search-api", paths: ["/search/*"], app: adminSearch, takesTurns: true },
    { part: "mcp", paths: ["/mcp/*"], app: agentsApp(mcpApp, edge), takesTurns: true },
    {
      part: "telemetry",
      paths: TELEMETRY_PATHS,
      app: jsonApp(telemetry.app, ["POST"], edge.offerTurn),
      takesTurns: true,
    },
    {
      part: "accounts",
      paths: ["/auth/*", "/oauth/*"],
      app: callApp(accountApps?.people, edge, edge.limitCalls),
      takesTurns: true,
    },
    {
      part: "api",
      paths: ["/api/*", "/openapi.json"],
      app: callApp(accountApps?.api, edge, nameCli(cli)),
      takesTurns: true,
    },
    {
      part: "console-api",
      paths: ["/console/api/*"],
      app: jsonApp(consoleApp, ["GET", "POST"]),
      takesTurns: true,
    },
    {
      part: "app-events",
      paths: ["/app/:organization/events", "/app/:organization/first-run"],
      app: callApp(accountApps?.events, edge),
      takesTurns: true,
    },
    { part: "app", paths: ["/app/*", "/device"], app: createAppPage(consoleFiles, answerFrame) },
    { part: "console", paths: ["/console/*"], app: createConsolePage(consoleFiles, answerFrame) },
    createCliMount(cli, edge),
    { part: "operator", paths: ["/healthz", "/readyz", "/metrics"], app: operatorApp },
    { part: "site", paths: ["/*"], app: createSiteApp(runtime, edge), takesTurns: true },
  ];
  const findMount = createMountFinder(mounts);
  return mounts;
}

/**
 * Each client has a limit for searches; their answers hold a place in memory until read, and are compressed.
 */
function searchApp(prefix: string, routes: Hono, { takeTurn, limitSearches, refuseWithoutRoom }: Edge): Hono {
  const app = new Hono();
  for (const path of SEARCH_PATHS) app.use(prefix + path, limitSearches);
  // The others have no limit.
  app.use(async (context, next) => (await takeTurn(context)) ?? next());
  app.use(refuseWithoutRoom);
  app.use(compress());
  return app.route(prefix || "/", routes);
}

/** What agents ask counts as searches do: a search is the most expensive of it. */
function agentsApp(routes: Hono, { limitSearches, refuseWithoutRoom }: Edge): Hono {
  const app = new Hono();
  app.use(limitSearches);
  app.use(refuseWithoutRoom);
  app.use(compress());
  return app.route("/", routes);
}

/** What is not answered in the form of the API is unknown. The API and events ask who calls, and limit it themselves. */
function callApp(
  routes: Hono | undefined,
  { refuseWithoutRoom }: Edge,
  ...first: readonly MiddlewareHandler[]
): Hono {
  const app = new Hono();
  for (const middleware of first) app.use(middleware);
  app.use(refuseWithoutRoom);
  if (routes) app.route("/", routes);
  app.notFound((context) =>
    answerCallFailure(context, {
      reason: "not found",
      message: `There is nothing at ${context.req.path.slice(0, 200)}.`,
    }),
  );
  return app;
}

function jsonApp(routes: Hono, methods: readonly string[], ...first: readonly MiddlewareHandler[]): Hono {
  const app = new Hono();
  for (const middleware of first) app.use(middleware);
  app.route("/", routes);
  refuseAsJson(app, methods, "There is nothing at this address.");
  return app;
}
