/**
 * Every route, read from the application itself, so that new routes are attacked without being listed here.
 */
import { rmSync } from "node:fs";
import { createConnectRouter } from "@connectrpc/connect";
import { buildFolders } from "#server/build-folders.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import type { ServerRuntime } from "#server/runtime.ts";
import { loadRuntime } from "#server/load-runtime.ts";
import { parseEnvironment } from "#server/environment.ts";
import { createEdge } from "#server/edge.ts";
import { createMounts } from "#server/mounts.ts";
import { BUILD_DIR, newDataDir, serverEnvironment } from "../server-process.ts";

export interface Route {
  /** `ALL` for any. */
  method: string;
  /** As Hono writes it: `/indexes/:uid/search`, `/ingest/*`. */
  path: string;
}

/** What the server has beside its application. */
export interface OtherDoors {
  /** Paths of gRPC's methods. */
  methods: string[];
  /** What the addresses of a room that answers itself begin with. */
  rooms: string[];
  /** What leaves HTTP, by its name in `OtherProtocols`. */
  others: string[];
}

export interface Site {
  routes: Route[];
  /** Addresses of built pages and files. */
  files: string[];
}

/** Composes the application over the finished build as the server does, without listening. */
export async function readSite(): Promise<Site & { doors: OtherDoors }> {
  const dataDir = newDataDir();
  const env = parseEnvironment(serverEnvironment(3000, dataDir));
  const runtime = await loadRuntime(buildFolders(BUILD_DIR), env);
  try {
    const mounts = createMounts(runtime, createEdge({ rateLimitFactor: 0 }));
    const mounted = mounts.flatMap(({ app }) => app.routes.map(({ method, path }) => `${method} ${path}`));
    // The API's methods have one route for all of them.
    const openApi = await runtime.accountApps!.api.request("/openapi.json");
    const { paths } = (await openApi.json()) as { paths: object };
    const all = [...mounted, ...Object.keys(paths).map((path) => `POST ${path}`)];
    const routes = [...new Set(all)].sort().map((text): Route => {
      const [method = "ALL", path = "/"] = text.split(" ");
      return { method, path };
    });
    const files = [...runtime.files.keys(), "/console"].sort();
    return { routes, doors: readDoors(runtime), files };
  } finally {
    await runtime.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function readDoors({ grpcRoutes, createRoomHandlers, others = {} }: ServerRuntime): OtherDoors {
  const router = createConnectRouter();
  createHealthService().routes(router);
  grpcRoutes?.(router);
  return {
    methods: router.handlers.map(({ requestPath }) => requestPath),
    rooms: (createRoomHandlers?.() ?? []).map(({ prefix }) => prefix),
    others: Object.keys(others),
  };
}
