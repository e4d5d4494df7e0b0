/** The room: the documentation for agents, from the served pages and with the readers' search. */
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { Log } from "#platform/log/log.ts";
import { createMcpApp } from "./create-mcp-app.ts";
import { createLibrary, type Library, type LibraryContent } from "./library.ts";

interface McpFloor {
  version: string;
  log: Log;
  /** Answers a search, as JSON. */
  ask: (body: unknown) => Promise<unknown>;
  /** Returns the currently served content. */
  content: () => LibraryContent;
}

export const mcpRoom: RoomPlan<McpFloor, object, Record<never, never>> = {
  variables: {},
  migrations: [],
  sealed: [],
  open: (floor, env) =>
    Promise.resolve({
      room: createRoom("mcp", { mounts: [mcpMount(openMcp({ ...floor, origin: env.SITE_ORIGIN }))] }),
      gives: {},
    }),
};

/** Agents' requests count as searches, which are the most expensive of them. */
export const mcpMount = (routes: Hono): Mount => ({
  part: "mcp",
  paths: ["/mcp/*"],
  takesTurns: true,
  serve: ({ limitSearches, refuseWithoutRoom }) =>
    new Hono().use(limitSearches).use(refuseWithoutRoom).use(compress()).route("/", routes),
});

export function openMcp({ origin, version, ask, content, log }: McpFloor & { origin: string }): Hono {
  const libraries = new WeakMap<object, Library>();
  return createMcpApp({
    origin,
    version,
    search: ask,
    library() {
      const now = content();
      const library = libraries.get(now) ?? createLibrary(now);
      libraries.set(now, library);
      return library;
    },
    onError: (error) => log.error("An agent's request failed:", { error }),
  });
}
