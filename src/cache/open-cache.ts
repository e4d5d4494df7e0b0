/** The room, configured by the environment: the cache over HTTP and gRPC, and the operator's view of it. */
import type { Accounts, Callers } from "#accounts/index.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Room } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import type { Log } from "#platform/log/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { Cache } from "./contract/cache.ts";
import { readTotals } from "./records/changes.ts";
import { createCache } from "./create-cache.ts";
import { createCacheHandler } from "./http/handler.ts";
import { completeActionResult } from "./reapi/action-cache/action-result.ts";
import { createReapi } from "./reapi/reapi.ts";
import { type CacheDatabase, cacheMigrations } from "./records/schema.ts";
import { createProtocols } from "./tools/protocols.ts";
import { createTraffic, type Traffic } from "./figures/traffic.ts";
import { type CacheEnvironment, cacheVariables } from "./variables.ts";

interface CacheFloor {
  accounts: Accounts;
  callers: Callers;
  database: CacheDatabase;
  blobs: Blobs;
  clock: () => number;
  log: Log;
}

export const cacheRoom: RoomPlan<CacheFloor, { cache: Cache }, typeof cacheVariables> = {
  variables: cacheVariables,
  migrations: cacheMigrations,
  sealed: [],
  open,
};

async function open(
  floor: CacheFloor,
  env: CacheEnvironment & ServerEnvironment,
): Promise<OpenedRoom<{ cache: Cache }>> {
  const cache = createCache({
    ...floor,
    quotaBytes: env.MILLRACE_CACHE_QUOTA,
    retentionMs: env.MILLRACE_CACHE_RETENTION,
  });
  const room = serveCache({ ...floor, cache, trustedProxies: env.TRUSTED_PROXIES });
  const close = () => room.close().finally(cache.close);
  return { room: { ...room, close }, gives: { cache } };
}

interface ServedCache extends Pick<CacheFloor, "callers" | "database" | "log"> {
  cache: Cache;
  trustedProxies?: readonly string[];
}

/** Closing it gives up uploads that wait to be continued. */
export function serveCache({ database, ...served }: ServedCache): Room {
  const traffic = createTraffic();
  const reapi = createReapi(served.cache, { ...served, traffic });
  const protocols = createProtocols(completeActionResult);
  return createRoom("cache", {
    handlers: [
      {
        prefix: "/cache/",
        create: (around) => createCacheHandler({ ...served, protocols, traffic, ...around }),
      },
    ],
    grpc: { services: [], calls: [reapi.answer] },
    registerMetrics: (metrics) => registerMetrics(metrics, database, traffic),
    close: reapi.close,
  });
}

function registerMetrics(metrics: Metrics, { db }: Pick<CacheDatabase, "db">, traffic: Traffic): void {
  const readSums = async (of: "entries" | "bytes") =>
    (await readTotals(db)).map((total): [string, number] => [total.tool, total[of]]);
  metrics.total({
    name: "cache_requests_total",
    help: "Requests from build tools: hits, misses, stored entries, refused, failed and interrupted requests, and others.",
    label: ["tool", "outcome"],
    read: traffic.requests,
  });
  metrics.total({
    name: "cache_bytes_total",
    help: "Bytes of entries that came from build tools (in) and went to them (out).",
    label: ["tool", "direction"],
    read: traffic.bytes,
  });
  metrics.figures({
    name: "cache_entries",
    help: "Entries of all organizations.",
    label: "tool",
    read: () => readSums("entries"),
  });
  metrics.figures({
    name: "cache_entry_bytes",
    help: "Bytes of these entries; content that several entries share is stored once.",
    label: "tool",
    read: () => readSums("bytes"),
  });
}
