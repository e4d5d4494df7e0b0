/** Container builds, as the environment says, and what the operator sees of them. */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Accounts } from "#accounts/index.ts";
import {
  type BuildersOptions,
  createBuilds,
  DOOR_NAME,
  noteSpoiled,
  openBuildAuthority,
  type RunningBuilds,
  TUNNEL_PATH,
} from "#builds/index.ts";
import { writeDurably } from "#platform/files/durable.ts";
import type { Log } from "#platform/log/log.ts";
import type { RecordDatabase } from "./database/record-tables.ts";
import type { Environment } from "./environment.ts";
import { openBuildDoor } from "./open-build-door.ts";
import { openBuilders } from "./open-builders.ts";
import { type Opened, openOrClose } from "./open-or-close.ts";
import type { OtherProtocols, RoomHandler } from "./listen.ts";
import type { ObservedRoom } from "./runtime.ts";

export interface BuildsServer {
  builds: RunningBuilds;
  room: ObservedRoom;
}

interface ServeBuildsOptions {
  accounts: Accounts;
  database: RecordDatabase;
  log: Log;
  /** Sets the accounts' clock right by the database's, where it is the database's. */
  lookAtClock: () => Promise<void>;
  /** The registry for builders. */
  listen: BuildersOptions["listen"];
  /** Hosts whose images are pulled through. */
  mirrored: readonly string[];
}

/** Starts without `buildkitd` and with the port of builders taken, too: the first build says what is missing. */
export const serveBuilds = (env: Environment, options: ServeBuildsOptions): Promise<BuildsServer> =>
  openOrClose((opened) => open(env, options, opened));

async function open(
  env: Environment,
  { accounts, database, log, lookAtClock, listen, mirrored }: ServeBuildsOptions,
  opened: Opened,
): Promise<BuildsServer> {
  const origin = new URL(env.SITE_ORIGIN);
  const dataFolder = resolve(env.DATA_DIR);
  const folder = join(dataFolder, "builders");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority = await openBuildAuthority({
    database,
    secretKey: accounts.secretKey,
    clock: accounts.clock,
  });
  const server = await readServerName(folder);
  const builders = await openBuilders(env, {
    dataFolder,
    folder,
    authority,
    listen,
    mirrored,
    noteSpoiled: (caches) => noteSpoiled({ accounts, database, log, server }, caches),
    log,
    clock: accounts.clock,
    lookAtClock: database.kind === "postgres" ? lookAtClock : undefined,
  });
  opened.add(builders.close);
  const builds = await createBuilds({
    accounts,
    database,
    log,
    clock: accounts.clock,
    lookAtClock,
    builders,
    authority,
    registryHost: origin.host,
    entitlements: new Set(env.MILLRACE_BUILDER_ENTITLEMENTS),
    timeoutMs: env.MILLRACE_BUILD_TIMEOUT,
    contextBytes: env.MILLRACE_BUILD_CONTEXT_LIMIT,
    concurrency: env.MILLRACE_BUILDER_CONCURRENCY,
    retentionMs: env.MILLRACE_BUILD_RETENTION,
    server,
    openProxy: (findBuild, findElsewhere) =>
      openBuildDoor(env, { accounts, authority, findBuild, findElsewhere, log }),
  });
  return { builds, room: describeBuilds(builds) };
}

/** The same after a restart: whose disk has the layer caches. */
async function readServerName(folder: string): Promise<string> {
  const file = join(folder, "server-name");
  const known = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{16}$/.test(known)) return known;
  const name = randomBytes(8).toString("hex");
  await writeDurably(file, name);
  return name;
}

/** What comes to builders by the port of everything else. */
export const waysOf = ({ ways }: RunningBuilds): OtherProtocols => ({
  door: { serverName: DOOR_NAME, accept: ways.accept },
  upgrade: { path: TUNNEL_PATH, take: ways.takeTunnel },
});

/** For who asks for a tunnel and not for WebSocket: a proxy on the way has taken that from the request. */
export const tunnelNote: RoomHandler = {
  prefix: TUNNEL_PATH,
  handle: (_request, response) =>
    // Both kinds of answers take it.
    void (response as ServerResponse)
      .writeHead(426, { "content-type": "text/plain" })
      .end("Builders are reached by WebSocket here: let your proxy pass it.\n"),
};

function describeBuilds(builds: RunningBuilds): ObservedRoom {
  return {
    name: "builds",
    // Its database is that of the accounts, which say whether it answers.
    isReady: () => true,
    registerMetrics(metrics) {
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
    },
  };
}
