/** For tests: builders without a server. Needs root, and a real buildkitd. */
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Log } from "#platform/log/log.ts";
import { createBuilders } from "../machine/builders.ts";
import type { Builders, BuildersOptions, BuilderWant } from "../machine/machine.ts";
import { findPlaces, namesOf, type Places } from "../machine/places.ts";

export { CROWDED_MEMORY, MOST_MEMORY } from "../machine/limits.ts";

const REGISTRY_HOST = "localhost:3999";
const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };

export interface TestMachine {
  builders: Builders;
  /** Requests to the registry from inside: `localhost:3999 /v2/`. */
  asked: string[];
  close: () => Promise<void>;
}

/** @param programs the folder of buildkitd */
export async function openTestMachine(
  { programs }: { programs: string },
  options: Pick<BuildersOptions, "dataFolder"> & Partial<BuildersOptions>,
): Promise<TestMachine> {
  const asked: string[] = [];
  const registry = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  const builders = await createBuilders({
    findBuildkitd: () => Promise.resolve(join(programs, "buildkitd")),
    locateBuildkitd: () => Promise.resolve(join(programs, "buildkitd")),
    setupCommand: "npm start -- setup-builders",
    buildx: join(programs, "buildx"),
    noteSpoiled: async () => {},
    idleMs: 60_000,
    registryHost: REGISTRY_HOST,
    mirrored: ["docker.io"],
    entitlements: [],
    listen: (server) => void server.on("connection", (socket) => registry.emit("connection", socket)),
    log: silentLog,
    ...options,
  });
  return {
    builders,
    asked,
    async close() {
      await builders.close();
      registry.closeAllConnections();
    },
  };
}

export const wanted = (more: Partial<BuilderWant> = {}): BuilderWant => ({
  organizationId: "org_7q4hx2n9ds",
  projectId: "prj_7q4hx2n9ds",
  platform: process.arch === "arm64" ? "linux/arm64" : "linux/amd64",
  cpus: 2,
  cacheBytes: 10 * 1024 ** 3,
  cacheDays: 14,
  ...more,
});

/** The folders in which its builders have files while they run. */
export const placesOf = (dataFolder: string): Places => findPlaces(dataFolder);

/** The run folder of one builder, which its processes name. */
export const runFolderOf = (dataFolder: string, projectId: string): string =>
  join(findPlaces(dataFolder).runFolder, namesOf(projectId, wanted().platform).run);

/** Changes the data folder as releases of November 2026 did at each start. */
export function makeAllPrivate(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return;
  const mode = stat.isDirectory() ? 0o700 : 0o600;
  if ((stat.mode & 0o777) !== mode) chmodSync(path, mode);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeAllPrivate(join(path, name));
}
