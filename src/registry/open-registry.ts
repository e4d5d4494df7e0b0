/** The room, configured by the environment: the registry over HTTP, and the operator's view of it. */
import type { Accounts, Callers } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Room } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import type { Log } from "#platform/log/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { createBuilderEndpoint, type ServeBuilder } from "./builder-endpoint.ts";
import { createRegistry } from "./create-registry.ts";
import { createRegistryHandler } from "./http/handler.ts";
import type { Images } from "./contract/images.ts";
import { DEFAULT_MIRROR_HOSTS } from "./mirror/names/hosts.ts";
import type { Mirrors } from "./contract/mirrors.ts";
import { sealedMirrorPasswords } from "./mirror/credentials/organization-credentials.ts";
import { readMirrorOptions } from "./mirror-options.ts";
import type { Registry } from "./contract/registry.ts";
import { type RegistryDatabase, registryMigrations } from "./contract/schema.ts";
import { createTraffic, type Traffic } from "./http/traffic.ts";
import { type RegistryEnvironment, registryVariables } from "./variables.ts";

interface RegistryFloor {
  accounts: Accounts;
  callers: Callers;
  database: RegistryDatabase;
  blobs: Blobs;
  store: ByteStore;
  clock: () => number;
  log: Log;
}

interface GivenRegistry {
  images: Images;
  mirrors: Mirrors | undefined;
  /** For builders: accepts connections to the registry from inside a builder. */
  serveBuilder: ServeBuilder;
  /** Hosts whose images are pulled through. */
  mirrored: readonly string[];
}

export const registryRoom: RoomPlan<RegistryFloor, GivenRegistry, typeof registryVariables> = {
  variables: registryVariables,
  migrations: registryMigrations,
  sealed: [sealedMirrorPasswords],
  open,
};

async function open(
  floor: RegistryFloor,
  env: RegistryEnvironment & ServerEnvironment,
): Promise<OpenedRoom<GivenRegistry>> {
  const mirror = await readMirrorOptions(env);
  const registry = createRegistry({
    ...floor,
    quotaBytes: env.MILLRACE_IMAGE_QUOTA,
    retentionMs: env.MILLRACE_IMAGE_RETENTION,
    mirror,
    redirectBlobs: env.MILLRACE_BLOB_REDIRECT,
  });
  const { room, serveBuilder } = serveRegistry({
    ...floor,
    registry,
    trustedProxies: env.TRUSTED_PROXIES,
  });
  const { images, mirrors, close } = registry;
  const mirrored = (mirror.hosts ?? DEFAULT_MIRROR_HOSTS).map(({ name }) => name);
  return { room: { ...room, close }, gives: { images, mirrors, serveBuilder, mirrored } };
}

interface ServedRegistry extends Pick<RegistryFloor, "callers" | "database" | "log"> {
  registry: Registry;
  trustedProxies?: readonly string[];
}

export function serveRegistry({ database, ...served }: ServedRegistry): {
  room: Room;
  serveBuilder: ServeBuilder;
} {
  const traffic = createTraffic();
  const room = createRoom("registry", {
    handlers: [
      { prefix: "/v2/", create: (around) => createRegistryHandler({ ...served, traffic, ...around }) },
    ],
    registerMetrics: (metrics) => registerMetrics(metrics, database, traffic),
  });
  return { room, serveBuilder: createBuilderEndpoint({ ...served, database, traffic }) };
}

/** How old the counts of rows may be in a scrape, in milliseconds. */
const COUNTS_MS = 60_000;

function registerMetrics(metrics: Metrics, { db }: Pick<RegistryDatabase, "db">, traffic: Traffic): void {
  metrics.total({
    name: "registry_requests_total",
    help: "Requests to the registry: pulled, pushed, deleted and missing content, refused, failed and interrupted requests, and others.",
    label: "outcome",
    read: traffic.requests,
  });
  metrics.total({
    name: "registry_bytes_total",
    help: "Bytes of blobs and manifests that came from clients (in) and went to them (out).",
    label: "direction",
    read: traffic.bytes,
  });
  metrics.figures({
    name: "registry_items",
    help: "Manifests, tags and blobs of all repositories.",
    label: "kind",
    read: rememberCounts(db),
  });
}

type Counts = readonly (readonly [string, number])[];

/** Used by each scrape; SQLite reads every row of the three tables, and does nothing else meanwhile. */
function rememberCounts(db: RegistryDatabase["db"]): () => Promise<Counts> {
  let known: { at: number; counts: Counts } | undefined;
  const count = async (table: "registry_manifests" | "registry_tags" | "registry_blobs") => {
    const counted = db.selectFrom(table).select((row) => row.fn.countAll<number>().as("count"));
    return (await counted.executeTakeFirstOrThrow()).count;
  };
  return async () => {
    if (known && performance.now() - known.at < COUNTS_MS) return known.counts;
    const at = performance.now();
    const counts: Counts = [
      ["manifests", await count("registry_manifests")],
      ["tags", await count("registry_tags")],
      ["blobs", await count("registry_blobs")],
    ];
    known = { at, counts };
    return counts;
  };
}
