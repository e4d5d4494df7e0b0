/**
 * Every route, read from the application itself, so that new routes are attacked without being listed here.
 */
import { rmSync } from "node:fs";
import { buildFolders } from "#server/build-folders.ts";
import { loadRuntime } from "../../../src/server/load-runtime.ts";
import { parseEnvironment } from "../../../src/server/environment.ts";
import { createEdge } from "#server/edge.ts";
import { createMounts } from "#server/mounts.ts";
import { BUILD_DIR, newDataDir, serverEnvironment } from "../server-process.ts";

export interface Route {
  /** `ALL` for any. */
  method: string;
  /** As Hono writes it: `/indexes/:uid/search`, `/ingest/*`. */
  path: string;
}

export interface Site {
  routes: Route[];
  /** Addresses of built pages and files. */
  files: string[];
}

/** Composes the application over the finished build as the server does, without listening. */
export async function readSite(): Promise<Site> {
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
    return { routes, files };
  } finally {
    await runtime.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
