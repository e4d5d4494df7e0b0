/** For tests: builds without builders. A place opens when the test says so, and nothing is solved. */
import { accountMigrations, type AccountTables, createProject, identify } from "#accounts/index.ts";
import { createOwnedAccounts, OWNER_TOKEN } from "#accounts/testing/accounts.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/testing/database.ts";
import type { Log } from "#platform/log/log.ts";
import { openBuildAuthority } from "../certificates/authority.ts";
import type { Capability } from "../machine/capability.ts";
import { createBuilds, type CreateBuildsOptions } from "../open/create-builds.ts";
import type { BuilderEndpoint } from "../contract/builder-endpoint.ts";
import type { Builders } from "../machine/machine.ts";
import type { ProxyBuild } from "../proxy/proxy-build.ts";
import { buildMigrations, type BuildTables } from "../tables/schema.ts";

export { OWNER_TOKEN };
const log: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => true, flush() {} };

export async function openTestBuilds(kind: DatabaseKind, options: Partial<CreateBuildsOptions> = {}) {
  const place = await openTestDatabase(kind);
  const time = { now: Date.now() };
  const cuts: string[] = [];
  const released: string[] = [];
  const caches = new Set<string>();
  const machine: Machine = { error: null, ended: null };
  const way: Way = { find: () => null };

  /** @param own options of this server only */
  async function openReplica(own: Partial<CreateBuildsOptions> = {}) {
    const database = await openDatabase<AccountTables & LeaseTables & BuildTables>({
      at: place.at,
      migrations: [...leaseMigrations, ...accountMigrations, ...buildMigrations],
    });
    const clock = () => time.now;
    const { accounts, secretKey } = await createOwnedAccounts({ database, log, clock });
    const actor = await identify(accounts, { bearer: OWNER_TOKEN }, null);
    const caller = { actor, address: "" };
    const room = await standInOptions(
      { database, secretKey, clock },
      { machine, released, cuts, way, caches },
    );
    // The time of a test is not a clock that is set.
    const given = { accounts, database, log, clock, elapsed: clock };
    const builds = await createBuilds({ ...given, ...room, ...options, ...own });
    const addProject = (name: string) => createProject(accounts, caller, { name });
    const close = async () => {
      await builds.close();
      await accounts.close();
      await database.close();
    };
    return { accounts, builds, caller, database, addProject, close };
  }

  const replica = await openReplica();
  return {
    ...replica,
    openReplica,
    time,
    cuts,
    released,
    caches,
    machine,
    way,
    /** Resolves when the build is waiting for the place that its client asks for. */
    async untilInLine(buildId: string, platform: string) {
      const find = () =>
        replica.database.db
          .selectFrom("build_places")
          .select("number")
          .where("build_id", "=", buildId)
          .where("platform", "=", platform)
          .executeTakeFirst();
      while (!(await find())) await new Promise((resolve) => setImmediate(resolve));
    },
    async [Symbol.asyncDispose]() {
      await replica.close();
      await place.remove();
    },
  };
}

interface Way {
  /** A client's build, as the proxy finds it; of the last server. */
  find: (buildId: string, platform: string) => ProxyBuild | null;
}

interface Machine {
  /** The error of each start of a builder. */
  error: Error | null;
  /** Resolves with the reason for a builder's end; null: none ends. */
  ended: Promise<string> | null;
  /** What the machine can run; absent: everything. */
  capabilities?: readonly Capability[];
}

/** Options of a room without builders or a way in for clients. */
export async function standInOptions(
  given: Parameters<typeof openBuildAuthority>[0],
  {
    machine = { error: null, ended: null },
    released = [],
    cuts = [],
    way = { find: () => null },
    caches = new Set(),
  }: StandIn = {},
) {
  return {
    builders: standIn(machine, released, caches),
    registryHost: "localhost:3000",
    authority: await openBuildAuthority(given),
    openProxy: async (find: Way["find"]) => openWay(way, find, cuts),
  };
}

interface StandIn {
  machine?: Machine;
  /** Filled with the released builders, and with the builds whose connections were cut. */
  released?: string[];
  cuts?: string[];
  way?: Way;
  /** Ids of projects that have layer caches. */
  caches?: Set<string>;
}

const standIn = (machine: Machine, released: string[], caches: Set<string>): Builders => ({
  async open({ projectId, platform }) {
    if (machine.error) throw machine.error;
    caches.add(projectId);
    const ended = machine.ended ?? new Promise<string>(() => {});
    const release = () => void released.push(`${projectId} ${platform}`);
    return { socket: "/nowhere/buildkitd.sock", ended, isReason: true, isNew: true, release };
  },
  usage: async () => [{ platform: "linux/amd64", bytes: 10, layers: 1 }],
  async reset(projectId) {
    caches.delete(projectId);
    return { freedBytes: 10 };
  },
  projects: async () => [...caches],
  platforms: () => ["linux/amd64", "linux/arm64"],
  check: async () =>
    machine.capabilities ?? [{ name: "Images for linux/amd64", state: "ready", lost: "", command: "" }],
  machine: async () => ({
    name: "build-1",
    platforms: ["linux/amd64"],
    cpus: 8,
    memoryBytes: 16 * 1024 ** 3,
    freeBytes: 100 * 1024 ** 3,
    builders: [],
  }),
  close: async () => {},
});

function openWay(way: Way, find: Way["find"], cuts: string[]): BuilderEndpoint {
  way.find = find;
  return {
    address: () => "tcp://localhost:8372",
    serverName: "localhost",
    inside: "",
    accept: (socket) => void socket.destroy(),
    takeTunnel: (_request, socket) => void socket.destroy(),
    signTunnel: (buildId, platform) => `${buildId} ${platform}`,
    cut: (buildId) => void cuts.push(buildId),
    close: async () => {},
  };
}
