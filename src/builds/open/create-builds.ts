import { randomBytes } from "node:crypto";
import { askDatabase, type Caller } from "#accounts/index.ts";
import type { Build, Builds } from "../contract/builds.ts";
import { describeCapabilities } from "../machine/capability.ts";
import type { Authority } from "../certificates/certificates.ts";
import type { BuilderEndpoint, BuildWays } from "../contract/builder-endpoint.ts";
import { sumRunning } from "../records/charge-build.ts";
import { createBuild } from "../records/create-build.ts";
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_CONTEXT_BYTES,
  DEFAULT_RETENTION_MS,
  DEFAULT_TIMEOUT_MS,
} from "../contract/limits.ts";
import { createCaches } from "../live/caches.ts";
import { createEndpoints } from "../live/endpoints.ts";
import { createBuilderStarts } from "../live/builder-starts.ts";
import { forgetOverdue } from "../live/forget-left.ts";
import { claimLost } from "../live/recover.ts";
import { createMachines } from "../live/machines.ts";
import { createServers } from "../live/servers.ts";
import { type BuildTotals, createLiveCounts } from "../live/live-counts.ts";
import { createLiveBuilds } from "../live/live-builds.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { FarBuild, ProxyBuild } from "../proxy/proxy-build.ts";
import { createPlaces } from "../queue/places.ts";
import { createChanges } from "../contract/changes.ts";
import { cancelBuild, finishBuild } from "../live/end-by-caller.ts";
import { explainStep } from "../records/explain-step.ts";
import { findFirst, type FirstBuild } from "../records/find-first.ts";
import { followLog, watchBuild } from "../records/follow-build.ts";
import { findScope, listBuilds } from "../records/list-builds.ts";
import { createExplanations } from "../records/explanations.ts";
import { readWhole, requireBuild } from "../records/read-build.ts";
import { startSweeping } from "../records/sweep.ts";
import { startWatching } from "../live/watch.ts";

type Given = Pick<BuildParts, "accounts" | "database" | "log" | "builders" | "registryHost">;
type Settings = Pick<
  BuildParts,
  "clock" | "elapsed" | "lookAtClock" | "timeoutMs" | "contextBytes" | "concurrency" | "retentionMs"
>;

export interface CreateBuildsOptions extends Given, Partial<Settings> {
  authority: Authority;
  /** The name of this server, which survives a restart; absent: layer caches belong to no server. */
  server?: string;
  /** Entitlements that the operator allows. */
  entitlements?: ReadonlySet<string>;
  /**
   * Opens the way in for clients.
   * @param findBuild null: it has ended, never existed, or another server has it
   * @param findElsewhere the record of a build that is not found; null: there is none
   */
  openProxy: (
    findBuild: (buildId: string, platform: string) => ProxyBuild | null,
    findElsewhere: (buildId: string) => Promise<FarBuild | null>,
  ) => Promise<BuilderEndpoint>;
}

/** Builds whose background work a test can run immediately. */
export interface RunningBuilds extends Builds {
  /** The first successful build of an organization, with its title, for anyone who may read the organization. */
  findFirst: (organizationId: string) => Promise<FirstBuild | null>;
  /** Counts for all servers. */
  counts: () => Promise<{ queued: number; running: number }>;
  /** In one line for the operator: whether builds can run here, and how to get what is missing. */
  describe: () => Promise<string>;
  /** Totals of this server since its start. */
  totals: BuildTotals;
  /** Ends builds that are over, and applies what other servers have canceled. */
  look: () => Promise<void>;
  /** Removes builds that are too old, or whose project is gone. */
  sweep: () => Promise<void>;
  /** For the port that everything else uses. */
  ways: BuildWays;
  /** When the server begins to stop: cancels running builds, and disconnects their clients. */
  end: () => Promise<void>;
  /** As `end`, and stops builders. */
  close: () => Promise<void>;
}

export async function createBuilds(options: CreateBuildsOptions): Promise<RunningBuilds> {
  const parts = readParts(options);
  const { builders } = parts;
  let inside = "";
  const counts = createLiveCounts();
  const machines = createMachines(parts, () => servers);
  const servers = createServers(parts, { address: () => inside, about: machines.tell });
  const { authority, entitlements = new Set() } = options;
  const liveBuilds = createLiveBuilds({ ...parts, counts, servers, entitlements });
  const endpoint = await options.openProxy(liveBuilds.find, liveBuilds.findElsewhere);
  inside = endpoint.inside;
  liveBuilds.useEndpoint(endpoint);
  const recovering = await claimLost({ ...parts, liveBuilds });
  const caches = createCaches({ ...parts, servers });
  const watching = await startWatching({ ...parts, liveBuilds, servers, recovering, caches });
  recovering.begin();
  const builderStarts = createBuilderStarts({ ...parts, liveBuilds, servers, counts });
  const sweeping = startSweeping(parts, (signal) => forgetOverdue(parts, signal));
  const endpoints = createEndpoints({ ...parts, builderStarts, servers, endpoint, authority });
  const end = once(async () => {
    await builderStarts.stop();
    await liveBuilds.close();
    await endpoint.close();
  });
  return {
    ...createReading(parts),
    async platforms(caller) {
      // A caller who may not read builds learns nothing about the builders.
      await findScope(parts, caller, "");
      return builders.platforms();
    },
    capabilities: (caller) => machines.capabilities(caller),
    cacheUsage: (caller, projectId) => caches.cacheUsage(caller, projectId),
    layerBytes: (caller, projectId) => caches.layerBytes(caller, projectId),
    layerCaches: (caller) => caches.layerCaches(caller),
    resetCache: (caller, input) => caches.resetCache(caller, input),
    create: (caller, input) => createBuild(parts, caller, input),
    getEndpoint: (caller, input) => endpoints.get(caller, input),
    ...createEnding({ ...parts, liveBuilds, recovering }),
    findFirst: (organizationId) => findFirst(parts, organizationId),
    counts: () => countOpen(parts),
    describe: async () => describeCapabilities(await builders.check()),
    totals: counts.totals,
    async look() {
      await watching.look();
      await caches.look();
      await builderStarts.look();
    },
    sweep: async () => void (await sweeping.sweep()),
    ways: endpoint,
    end,
    async close() {
      caches.stop();
      await sweeping.stop();
      await end();
      await recovering.done;
      // Its builds count as alive until here.
      await watching.stop();
      await builders.close();
    },
  };
}

/** How callers end a build; both return its state after that. */
const createEnding = (parts: Parameters<typeof cancelBuild>[0]): Pick<Builds, "finish" | "cancel"> => ({
  async finish(caller, input) {
    await finishBuild(parts, caller, input);
    return readBuild(parts, caller, input.buildId);
  },
  async cancel(caller, buildId) {
    await cancelBuild(parts, caller, buildId);
    return readBuild(parts, caller, buildId);
  },
});

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

async function readBuild(parts: BuildParts, caller: Caller, buildId: string): Promise<Build> {
  const row = await requireBuild(parts, caller, { buildId, action: "build.read" });
  return readWhole(parts.database, row, parts.clock());
}

function createReading(
  parts: BuildParts,
): Pick<Builds, "get" | "list" | "explain" | "watch" | "logs" | "runningMs"> {
  const explanations = createExplanations();
  const requireStream = (caller: Caller, buildId: string) =>
    requireBuild(parts, caller, { buildId, action: "build.read" });
  return {
    get: (caller, buildId) => readBuild(parts, caller, buildId),
    list: (caller, input) => listBuilds(parts, caller, input),
    runningMs: (of) =>
      askDatabase(() =>
        sumRunning(parts.database, { ...of, now: parts.clock(), timeoutMs: parts.timeoutMs }),
      ),
    explain: (caller, input) => explainStep({ ...parts, explanations }, caller, input),
    async *watch(caller, buildId, signal) {
      await requireStream(caller, buildId);
      yield* watchBuild(parts, buildId, signal);
    },
    async *logs(caller, input, signal) {
      await requireStream(caller, input.buildId);
      yield* followLog(parts, input, signal);
    },
  };
}

async function countOpen({ database }: BuildParts): Promise<{ queued: number; running: number }> {
  const rows = await askDatabase(() =>
    database.db
      .selectFrom("builds")
      .select((row) => ["state", row.fn.countAll<number>().as("count")])
      .where("state", "in", ["queued", "running"])
      .groupBy("state")
      .execute(),
  );
  const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { queued: of("queued"), running: of("running") };
}

function readParts(options: CreateBuildsOptions): BuildParts {
  const { accounts, database, log, builders, registryHost, clock = Date.now } = options;
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const newName = () => randomBytes(8).toString("hex");
  const server = options.server ?? newName();
  return {
    accounts,
    database,
    log,
    builders,
    registryHost,
    clock,
    elapsed: options.elapsed ?? (() => performance.now()),
    lookAtClock: options.lookAtClock ?? (async () => {}),
    changes: createChanges(),
    places: createPlaces({ database, clock, perBuilder: concurrency }),
    // Processes of a server are recognized by its name.
    holder: `${server}.${newName()}`,
    server,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    contextBytes: options.contextBytes ?? DEFAULT_CONTEXT_BYTES,
    concurrency,
    retentionMs: options.retentionMs ?? DEFAULT_RETENTION_MS,
  };
}
