/** The builds that this server runs. */
import { askDatabase } from "#accounts/index.ts";
import type { BuilderEndpoint } from "../contract/builder-endpoint.ts";
import type { BuilderWant } from "../machine/machine.ts";
import { ProjectSecrets } from "../masking/project-secrets.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { FarBuild, ProxyBuild } from "../proxy/proxy-build.ts";
import { hasEnded } from "../records/follow-build.ts";
import { type BuildRow, findRow } from "../records/read-build.ts";
import { LiveBuild } from "./live-build.ts";
import type { LiveCounts } from "./live-counts.ts";
import { createOverflows } from "./overflows.ts";
import type { Servers } from "./servers.ts";

export interface LiveBuilds {
  get: (buildId: string) => LiveBuild | undefined;
  /** The existing one, or a new one. */
  take: (row: BuildRow, want: Omit<BuilderWant, "platform">) => LiveBuild;
  /** For a build whose builder did not start: it stays queued, and its client asks again. */
  drop: (live: Pick<LiveBuild, "row">) => void;
  /** For the proxy. */
  find: (buildId: string, platform: string) => ProxyBuild | null;
  /** For the proxy, for a build that it does not find; null: there is none. */
  findElsewhere: (buildId: string) => Promise<FarBuild | null>;
  all: () => readonly LiveBuild[];
  /** Whether another server that is alive runs it. */
  isElsewhere: (row: BuildRow) => Promise<boolean>;
  useEndpoint: (endpoint: BuilderEndpoint) => void;
  close: () => Promise<void>;
}

export interface LiveBuildsOptions extends BuildParts {
  counts: LiveCounts;
  servers: Servers;
  entitlements: ReadonlySet<string>;
}

export function createLiveBuilds(options: LiveBuildsOptions): LiveBuilds {
  const { servers, holder } = options;
  const liveBuilds = new Map<string, LiveBuild>();
  const backgroundWork = new Set<Promise<void>>();
  const overflows = createOverflows(options);
  let endpoint: BuilderEndpoint | null = null;
  const secrets = createMountedSecrets();
  const remove = (row: BuildRow) => {
    liveBuilds.delete(row.id);
    secrets.end(row);
  };
  return {
    get: (buildId) => liveBuilds.get(buildId),
    take(row, want) {
      const known = liveBuilds.get(row.id);
      if (known) return known;
      const live = new LiveBuild({
        ...options,
        row,
        want,
        mounted: secrets.begin(row),
        cut: (buildId, reason) => endpoint?.cut(buildId, reason),
        later(work) {
          const done = work.finally(() => backgroundWork.delete(done));
          backgroundWork.add(done);
        },
        onEnded(state) {
          remove(row);
          options.counts.ended(state);
          overflows.look(row, want);
        },
      });
      liveBuilds.set(row.id, live);
      return live;
    },
    drop: ({ row }) => remove(row),
    find: (buildId, platform) => liveBuilds.get(buildId)?.find(platform) ?? null,
    async findElsewhere(buildId) {
      const row = await askDatabase(() => findRow(options.database, buildId));
      if (!row) return null;
      const organizationId = row.organization_id;
      if (hasEnded(row.state) || row.holder === holder) return { organizationId, address: null };
      const found = (await servers.list()).find((each) => each.holder === row.holder);
      return { organizationId, address: found?.address || null };
    },
    all: () => [...liveBuilds.values()],
    isElsewhere: async (row) =>
      row.holder !== null && row.holder !== holder && (await servers.isAlive(row.holder)),
    useEndpoint(opened) {
      endpoint = opened;
    },
    async close() {
      const stopped =
        "The server was stopped while the build ran. Run it again: finished steps are in the layer cache.";
      await Promise.all([...liveBuilds.values()].map((live) => live.cancel(stopped)));
      await Promise.all([...backgroundWork, overflows.close()]);
    },
  };
}

/** By project, while it has a build. */
function createMountedSecrets() {
  const all = new Map<string, ProjectSecrets>();
  return {
    begin({ id, project_id: projectId }: BuildRow): ProjectSecrets {
      const secrets = all.get(projectId) ?? new ProjectSecrets();
      all.set(projectId, secrets);
      secrets.begin(id);
      return secrets;
    },
    end({ id, project_id: projectId }: BuildRow): void {
      if (all.get(projectId)?.end(id)) all.delete(projectId);
    },
  };
}
