/**
 * Which part answers which address. Rooms declare theirs (`Room.mounts`). The site gets all others.
 *
 *     POST /multi-search         search       Meilisearch's protocol, JSON
 *     POST /search/indexes       search-api   the same, for its own clients and with a key
 *     POST /mcp                  mcp          the Model Context Protocol, for agents that read the pages
 *     POST /ingest/e             telemetry    PostHog's protocol, JSON
 *     GET  /app/sign-in          app          the application, HTML
 *     GET  /app/acme/events      app-events   an organization's events, as a stream
 *     POST /auth/passkey         accounts     sign-in, JSON; /oauth for programs
 *     POST /api/millrace.v1…     api          Connect's protocol
 *     GET  /console/pages        console      the operator's console, HTML
 *     GET  /cli/millrace.tgz     cli          the command-line tool, and /install.sh
 *     GET  /docs/faq             site         pages
 *
 * Requests of build tools (`/cache/…`) and of gRPC do not arrive here: `port/listen.ts` passes them to their own handlers.
 */
import type { Hono } from "hono";
import type { Edge } from "#platform/house/edge.ts";
import type { AskServer, Room } from "#platform/house/room.ts";
import { createMountFinder, type Part } from "./mount-table.ts";

/** @param operatorApp `/healthz`, `/readyz`, `/metrics` */
export function createParts(rooms: readonly Pick<Room, "mounts">[], edge: Edge, operatorApp: Hono): Part[] {
  const ask: AskServer = (request, environment) =>
    findPart(new URL(request.url).pathname).app.fetch(request, environment);
  const parts: Part[] = rooms
    .flatMap(({ mounts }) => mounts)
    .map(({ serve, ...mount }) => ({ ...mount, app: serve(edge, ask) }));
  parts.push({
    part: "operator",
    paths: ["/healthz", "/readyz", "/metrics"],
    takesTurns: false,
    app: operatorApp,
  });
  const findPart = createMountFinder(parts);
  return parts;
}
