/** Where the routes of searches are on the server, and what each request passes before them. */
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { Edge } from "#platform/house/edge.ts";
import type { Mount } from "#platform/house/room.ts";
import type { SearchRoutes } from "./routes.ts";

/** The addresses for searches, of both providers. */
const SEARCH_PATHS = ["/multi-search", "/indexes/:uid/search", "/indexes/:uid/facet-search"];

/** Only below `/search`. */
const SIMILAR_PATH = "/indexes/:uid/similar";

export const searchMounts = (
  routes: SearchRoutes,
  headers: Readonly<Record<string, string>> = {},
): readonly Mount[] => [
  {
    part: "search",
    paths: [...SEARCH_PATHS, "/health"],
    takesTurns: true,
    serve: (edge) => serveSearch("", routes.public, edge, headers),
  },
  {
    part: "search-api",
    paths: ["/search/*"],
    takesTurns: true,
    serve: (edge) => serveSearch("/search", routes.admin, edge),
  },
];

/** Each client has a limit for searches; their answers hold a place in memory until read, and are compressed. */
function serveSearch(
  prefix: string,
  routes: Hono,
  { takeTurn, limitSearches, refuseWithoutRoom }: Edge,
  headers: Readonly<Record<string, string>> = {},
): Hono {
  const app = new Hono();
  for (const [name, value] of Object.entries(headers))
    app.use(async (context, next) => {
      await next();
      context.header(name, value);
    });
  for (const path of [...SEARCH_PATHS, SIMILAR_PATH]) app.use(prefix + path, limitSearches);
  // Other paths have no limit.
  app.use(async (context, next) => (await takeTurn(context)) ?? next());
  app.use(refuseWithoutRoom);
  app.use(compress());
  return app.route(prefix || "/", routes);
}
