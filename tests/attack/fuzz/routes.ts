/**
 * Every route, read from the application itself, so that new routes are attacked without being listed here.
 */
import { rmSync } from "node:fs";
import { createConnectRouter } from "@connectrpc/connect";
import { Hono } from "hono";
import { buildFolders } from "#server/pages/build-folders.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import { parseEnvironment } from "#server/environment.ts";
import { createEdge } from "#server/edge.ts";
import { createParts } from "#server/mounts.ts";
import { openHouse } from "#server/open-house.ts";
import { grpcOf, waysOf } from "#server/room-ways.ts";
import type { PageOrigin } from "#server/ground.ts";
import { loadBuiltPages } from "#server/pages/built-pages.ts";
import { openOrClose } from "#platform/house/open-or-close.ts";
import type { Room } from "#platform/house/room.ts";
import { consoleLog } from "#platform/log/log.ts";
import { BUILD_DIR, newDataDir, serverEnvironment } from "../server-process.ts";

export interface Route {
  /** `ALL` for any. */
  method: string;
  /** As Hono writes it: `/indexes/:uid/search`, `/ingest/*`. */
  path: string;
}

/** The server's entrances in addition to its application. */
export interface OtherEndpoints {
  /** Paths of gRPC's methods. */
  methods: string[];
  /** Address prefixes of the rooms that answer on their own. */
  rooms: string[];
  /** Ways that leave HTTP: `upgrade`, `tlsName`. */
  others: string[];
}

export interface Site {
  routes: Route[];
  /** Addresses of built pages and files. */
  files: string[];
}

/** Composes the application over the finished build as the server does, without listening. */
export async function readSite(): Promise<Site & { endpoints: OtherEndpoints }> {
  const dataDir = newDataDir();
  const env = parseEnvironment(serverEnvironment(3000, dataDir));
  return openOrClose(async (opened) => {
    opened.add(() => rmSync(dataDir, { recursive: true, force: true }));
    let files: string[] = [];
    const built = await loadBuiltPages(buildFolders(BUILD_DIR), env, consoleLog);
    const pages: PageOrigin = {
      ...built,
      async openPages(search) {
        const site = await built.openPages(search);
        files = [...site.files.keys(), "/console"].sort();
        return site;
      },
    };
    const { rooms } = await openHouse(
      env,
      { log: consoleLog, loadPages: () => Promise.resolve(pages) },
      opened,
    );
    const parts = createParts(rooms, createEdge({ rateLimitFactor: 0 }), new Hono());
    const mounted = parts.flatMap(({ app }) => app.routes.map(({ method, path }) => `${method} ${path}`));
    // The API's methods have one route for all of them.
    const api = parts.find(({ part }) => part === "api")!.app;
    const { paths } = (await (await api.request("/openapi.json")).json()) as { paths: object };
    const all = [...mounted, ...Object.keys(paths).map((path) => `POST ${path}`)];
    const routes = [...new Set(all)].sort().map((text): Route => {
      const [method = "ALL", path = "/"] = text.split(" ");
      return { method, path };
    });
    const site = { routes, endpoints: readEndpoints(rooms), files };
    await opened.close();
    return site;
  });
}

function readEndpoints(rooms: readonly Room[]): OtherEndpoints {
  const router = createConnectRouter();
  grpcOf(rooms, createHealthService()).routes(router);
  const { rooms: handlers = [], ...others } = waysOf(rooms);
  return {
    methods: router.handlers.map(({ requestPath }) => requestPath),
    rooms: handlers.map(({ prefix }) => prefix),
    others: Object.keys(others),
  };
}
