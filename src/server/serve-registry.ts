/** The registry over HTTP, and what the operator sees of it. */
import type { Kysely } from "kysely";
import type { AccountTables, Callers } from "#accounts/index.ts";
import {
  createRegistryHandler,
  createRegistryTraffic,
  type Registry,
  type RegistryTables,
  type RegistryTraffic,
} from "#registry/index.ts";
import type { Log } from "#platform/log/log.ts";
import { createBuilderDoor, type OpenBuilderDoor } from "./builder-door.ts";
import type { Environment } from "./environment.ts";
import type { RoomHandler } from "./listen.ts";
import type { ObservedRoom, RoomServerOptions } from "./runtime.ts";

export interface RegistryServer {
  createHandler: (options?: RoomServerOptions) => RoomHandler;
  /** For builders: takes what connects to the registry from inside one. */
  openBuilderDoor: OpenBuilderDoor;
  room: ObservedRoom;
}

export function serveRegistry(
  { TRUSTED_PROXIES: trustedProxies }: Pick<Environment, "TRUSTED_PROXIES">,
  {
    registry,
    callers,
    database,
    log,
  }: {
    registry: Registry;
    callers: Callers;
    database: { db: Kysely<RegistryTables & AccountTables> };
    log: Log;
  },
): RegistryServer {
  const traffic = createRegistryTraffic();
  return {
    createHandler: (options = {}) => ({
      prefix: "/v2/",
      handle: createRegistryHandler({ registry, callers, traffic, log, trustedProxies, ...options }),
    }),
    openBuilderDoor: createBuilderDoor({ registry, database, traffic, log }),
    room: describeRegistry(database, traffic),
  };
}

/** How old the counts of rows may be that a scrape is told. */
const COUNTS_MS = 60_000;

function describeRegistry({ db }: { db: Kysely<RegistryTables> }, traffic: RegistryTraffic): ObservedRoom {
  const countItems = rememberCounts(db);
  return {
    name: "registry",
    // Its database is that of the accounts, which say whether it answers.
    isReady: () => true,
    registerMetrics(metrics) {
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
        read: countItems,
      });
    },
  };
}

type Counts = readonly (readonly [string, number])[];

/** Asked by each scrape; SQLite reads every row of the three tables, and does nothing else meanwhile. */
function rememberCounts(db: Kysely<RegistryTables>): () => Promise<Counts> {
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
