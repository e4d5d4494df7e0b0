import { createServer as createPortProbe } from "node:net";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { HTTPException } from "hono/http-exception";
import { abandonedAnswer } from "./platform/http/client-abort.ts";
import type { ConnectionGuard } from "./platform/http/connections.ts";
import { addSecurityHeaders } from "./platform/http/security-headers.ts";
import { consoleLog, type Log } from "./platform/log/log.ts";
import { markShared } from "./platform/http/unsent-answers.ts";
import { trimSlashes } from "./platform/text/trim-slashes.ts";
import { createEdge, type Edge } from "./server/edge.ts";
import { MAX_ADDRESS_LENGTH } from "./site/server/limits.ts";
import { decodePath, isNegotiated, isResultsPage, type SiteRuntime } from "./site/server/site-runtime.ts";
import { serveStaticFile } from "./site/server/static-files.ts";

/** The addresses that search, of both search providers. */
const searchPaths = ["/multi-search", "/indexes/:uid/search", "/indexes/:uid/facet-search"].flatMap(
  (path) => [path, `/search${path}`],
);

/** How the operator sees what happens; absent, failures go to the console and nothing else is seen. */
export interface Observation {
  log?: Log;
  /** Stands around everything else. */
  before?: readonly MiddlewareHandler[];
  /** `/healthz`, `/readyz`, `/metrics`. */
  operatorApp?: Hono;
}

/**
 * The whole service as one list of middleware, top to bottom.
 * @param edge who the clients are and how much each may ask for; absent, in measurements and tests, nothing is limited
 */
export function createApp(
  runtime: SiteRuntime,
  edge: Edge = createEdge({ rateLimitFactor: 0 }),
  { log = consoleLog, before = [], operatorApp }: Observation = {},
): Hono {
  const app = new Hono();

  for (const middleware of before) app.use(middleware);
  app.use(addSecurityHeaders(runtime.origin));

  // Before anything reads it.
  app.use(async (context, next) => {
    const { url } = context.req;
    if (url.length - url.indexOf("/", "https://".length) <= MAX_ADDRESS_LENGTH) return next();
    return context.text(`This address is too long: at most ${MAX_ADDRESS_LENGTH} characters are read.`, 414);
  });

  if (operatorApp) app.route("/", operatorApp);

  app.use(edge.noticeProxy);
  app.use(edge.refuseHealth);

  // Page views are what was answered: this stands around everything that answers a page.
  if (runtime.telemetry.countViews) app.use(runtime.telemetry.countViews);

  // Telemetry has its own bodies, limits and addresses, some of which end in a slash.
  app.route("/", runtime.telemetry.app);

  // The console is one page with addresses of its own; what it shows it asks for, signed in.
  app.use("/console/*", async (context, next) => {
    const path = new URL(context.req.url).pathname.slice("/console".length);
    const file = serveConsoleFile(runtime, path || "/", context.req.raw);
    if (!file) return next();
    markShared(context);
    return file;
  });

  // How many are online in the community's chat: asked for now and then, waited for never.
  app.use(async (_context, next) => {
    void runtime.community?.refresh();
    await next();
  });

  // Built files, from memory and already compressed.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const { pathname } = url;
    const path = runtime.pathFor(pathname, context.req.raw);
    const response = isResultsPage(url)
      ? undefined
      : serveStaticFile(runtime.files, path, context.req.raw, isNegotiated(decodePath(pathname)));
    if (!response) return next();
    markShared(context);
    context.res = response;
    return undefined;
  });

  // One address for each page.
  app.use(async (context, next) => {
    const { pathname, search } = new URL(context.req.url);
    if (pathname === "/" || !pathname.endsWith("/")) return next();
    return context.redirect(`/${trimSlashes(pathname)}${search}`, 308);
  });

  // From here on each answer is made for its request.
  for (const path of searchPaths) app.use(path, edge.limitSearches);
  app.use(edge.refuseWithoutRoom);
  app.use(compress());
  app.route("/search", runtime.searchRoutes.admin);
  app.route("/", runtime.searchRoutes.public);

  app.use(edge.limitPages);
  app.use(async (context) => {
    // Pages are read only; the renderer would make an error page of it and log a stack.
    if (!["GET", "HEAD"].includes(context.req.method))
      return context.text("This address answers GET and HEAD only.", 405, { Allow: "GET, HEAD" });
    const missing = runtime.missing?.(context.req.raw);
    if (missing) return missing;
    const response = await runtime.render(context.req.raw);
    if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
    const { headers } = response;
    if (runtime.csp) headers.set("Content-Security-Policy", runtime.csp);
    if (isNegotiated(decodePath(new URL(context.req.url).pathname)))
      headers.set("Vary", "Accept, Accept-Encoding");
    headers.set("Cache-Control", "no-store");
    return response;
  });

  app.onError((error, context) => {
    const abandoned = abandonedAnswer(context);
    if (abandoned) return abandoned;
    // A mistake of the request's, such as a body that is too large, is none of ours.
    if (error instanceof HTTPException) return error.getResponse();
    const { pathname } = new URL(context.req.url);
    log.error(`${context.req.method} ${pathname} failed:`, { error });
    runtime.telemetry.reportError?.(error, pathname);
    return context.text("Something went wrong on our side. Try again in a moment.", 500);
  });
  return app;
}

/** A file of the console's build, or its page for every other path; undefined until it is built. */
function serveConsoleFile(
  { consoleFiles }: SiteRuntime,
  path: string,
  request: Request,
): Response | undefined {
  if (!consoleFiles) return undefined;
  const isAsset = /\.\w+$/.test(path);
  const response = serveStaticFile(consoleFiles, isAsset ? path : "/", request);
  response?.headers.set("X-Robots-Tag", "noindex");
  if (!isAsset) response?.headers.set("Cache-Control", "no-store");
  return response;
}

/** Answers a request itself or calls `next`; Vite's development server is one. */
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface ListenOptions {
  /** Asked before the application. */
  before?: Middleware;
  /** Default: a new one. */
  server?: Server;
  /** Who may hold a connection of `server`. */
  connections?: ConnectionGuard;
}

/**
 * Listens and resolves once requests are answered.
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot listen.
 */
export function listen(app: Hono, host: string, port: number, options: ListenOptions = {}): Promise<Server> {
  const { before, server = createServer(), connections } = options;
  // Its own, faster Response cannot do all that Node's can, and a server that compiles pages runs other people's code.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: !before });
  server.on("request", (request, response) => {
    if (connections && !connections.admit(request, response)) return;
    if (before) before(request, response, () => void answer(request, response));
    else void answer(request, response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Rejects with the system's error when nothing can listen there; asked before a long build. */
export function probePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createPortProbe();
    probe.once("error", reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
