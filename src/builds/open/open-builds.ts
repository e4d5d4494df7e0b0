/** Opens the room as the environment configures it: container builds, and their metrics for the operator. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import type { Accounts } from "#accounts/index.ts";
import { writeDurably } from "#platform/files/durable.ts";
import { type Opened, openOrClose } from "#platform/house/open-or-close.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Handler, type Room } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import type { Log } from "#platform/log/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { openBuildAuthority, sealedAuthority } from "../certificates/authority.ts";
import { createBuilds, type RunningBuilds } from "./create-builds.ts";
import { BUILDER_SERVER_NAME, TUNNEL_PATH } from "../contract/builder-endpoint.ts";
import type { BuildersOptions } from "../machine/machine.ts";
import { noteSpoiled } from "../records/note-spoiled.ts";
import { type BuildDatabase, buildMigrations } from "../tables/schema.ts";
import { openBuilderEndpoint } from "./open-builder-endpoint.ts";
import { openBuilders } from "./open-builders.ts";
import { type BuildEnvironment, buildVariables } from "./variables.ts";

interface BuildFloor {
  accounts: Accounts;
  database: BuildDatabase;
  clock: () => number;
  /** Sets the clock by the database's, if it is the database's clock. */
  lookAtClock: () => Promise<void>;
  log: Log;
  /** The checkout's folder. */
  root: string;
  /** The registry for builders. */
  serveBuilder: BuildersOptions["listen"];
  /** Registry hosts whose images this server caches. */
  mirrored: readonly string[];
  /** Adds steps to the first run's checklist. */
  addFirstSteps: (steps: { build: RunningBuilds["findFirst"] }) => void;
}

interface GivenBuilds {
  builds: RunningBuilds;
  /** Folder of the buildx that this server gives to machines without one. */
  buildxFolder: string;
}

export const buildRoom: RoomPlan<BuildFloor, GivenBuilds, typeof buildVariables> = {
  variables: buildVariables,
  migrations: buildMigrations,
  sealed: [sealedAuthority],
  open: (floor, env) => openOrClose((opened) => open(floor, env, opened)),
};

/** Starts even without `buildkitd` or with the builders' port taken: the first build says what is missing. */
async function open(
  floor: BuildFloor,
  env: BuildEnvironment & ServerEnvironment,
  opened: Opened,
): Promise<OpenedRoom<GivenBuilds>> {
  const { accounts, database, clock, log } = floor;
  const dataFolder = resolve(env.DATA_DIR);
  const folder = join(dataFolder, "builders");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority = await openBuildAuthority({ database, secretKey: accounts.secretKey, clock });
  const server = await readServerName(folder);
  const builders = await openBuilders(env, {
    ...floor,
    dataFolder,
    folder,
    authority,
    listen: floor.serveBuilder,
    noteSpoiled: (caches) => noteSpoiled({ accounts, database, log, server }, caches),
    lookAtClock: database.kind === "postgres" ? floor.lookAtClock : undefined,
  });
  opened.add(builders.close);
  const builds = await createBuilds({
    ...floor,
    builders,
    authority,
    registryHost: new URL(env.SITE_ORIGIN).host,
    entitlements: new Set(env.MILLRACE_BUILDER_ENTITLEMENTS),
    timeoutMs: env.MILLRACE_BUILD_TIMEOUT,
    contextBytes: env.MILLRACE_BUILD_CONTEXT_LIMIT,
    concurrency: env.MILLRACE_BUILDER_CONCURRENCY,
    retentionMs: env.MILLRACE_BUILD_RETENTION,
    server,
    openProxy: (findBuild, findElsewhere) =>
      openBuilderEndpoint(env, { accounts, authority, findBuild, findElsewhere, log }),
  });
  floor.addFirstSteps({ build: builds.findFirst });
  const buildxFolder = env.MILLRACE_BUILDX_FOLDER ?? join(folder, "programs");
  return { room: createBuildRoom(builds, log), gives: { builds, buildxFolder } };
}

/** The name that survives a restart: identifies the disk with the layer caches. */
async function readServerName(folder: string): Promise<string> {
  const file = join(folder, "server-name");
  const known = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{16}$/.test(known)) return known;
  const name = randomBytes(8).toString("hex");
  await writeDurably(file, name);
  return name;
}

function createBuildRoom(builds: RunningBuilds, log: Log): Room {
  const { ways } = builds;
  return createRoom("builds", {
    handlers: [tunnelNote],
    upgrades: [{ path: TUNNEL_PATH, take: ways.takeTunnel }],
    tlsNames: [{ serverName: BUILDER_SERVER_NAME, accept: ways.accept }],
    registerMetrics: (metrics) => registerMetrics(metrics, builds),
    greet: builds.describe,
    // `close` repeats what fails here.
    end: () =>
      void builds.end().catch((error: unknown) => log.warn("Could not end builds cleanly.", { error })),
    close: builds.close,
  });
}

/** For a tunnel request that is not a WebSocket request: a proxy on the way removed the upgrade. */
const tunnelNote: Handler = {
  prefix: TUNNEL_PATH,
  create: () => (_request, response) =>
    // Both kinds of responses accept it.
    void (response as ServerResponse)
      .writeHead(426, { "content-type": "text/plain" })
      .end("Builders are reached by WebSocket here: let your proxy pass it.\n"),
};

function registerMetrics(metrics: Metrics, builds: RunningBuilds): void {
  metrics.figures({
    name: "builds",
    help: "Builds that have not ended.",
    label: "state",
    async read() {
      const { queued, running } = await builds.counts();
      return [
        ["queued", queued],
        ["running", running],
      ];
    },
  });
  metrics.total({
    name: "builds_ended_total",
    help: "Builds that this server ran, by how they ended.",
    label: "outcome",
    read: () => builds.totals.ended,
  });
  metrics.total({
    name: "builds_waited_total",
    help: "Places on builders that this server gave to builds, and the milliseconds that builds waited for them and for room on the machine.",
    label: "what",
    read: () => [
      ["places", builds.totals.places],
      ["milliseconds", builds.totals.waitedMs],
    ],
  });
  metrics.total({
    name: "builders_total",
    help: "Builders started, the milliseconds that their starts took, and bytes that clients sent to them.",
    label: "what",
    read: () => [
      ["starts", builds.totals.builderStarts],
      ["start_milliseconds", builds.totals.builderStartMs],
      ["received_bytes", builds.totals.receivedBytes],
    ],
  });
}
