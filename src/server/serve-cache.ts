/** The cache over HTTP and gRPC, and what the operator sees of it. */
import type { Callers } from "#accounts/index.ts";
import type { Kysely } from "kysely";
import {
  type Cache,
  type CacheTables,
  completeActionResult,
  createCacheHandler,
  createProtocols,
  createReapi,
  createTraffic,
  readTotals,
  type Traffic,
} from "#cache/index.ts";
import type { AnswerRawCall } from "#platform/grpc/raw-methods.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "./environment.ts";
import type { RoomHandler } from "./listen.ts";
import type { RoomServerOptions, ObservedRoom } from "./runtime.ts";

export interface CacheServer {
  createHandler: (options?: RoomServerOptions) => RoomHandler;
  grpcCalls: AnswerRawCall;
  room: ObservedRoom;
  /** Gives up uploads that wait to be continued. */
  close: () => Promise<void>;
}

export function serveCache(
  { TRUSTED_PROXIES: trustedProxies }: Pick<Environment, "TRUSTED_PROXIES">,
  {
    cache,
    callers,
    database,
    log,
  }: { cache: Cache; callers: Callers; database: { db: Kysely<CacheTables> }; log: Log },
): CacheServer {
  const traffic = createTraffic();
  const reapi = createReapi(cache, { callers, traffic, log });
  const protocols = createProtocols(completeActionResult);
  return {
    createHandler: (options = {}) => ({
      prefix: "/cache/",
      handle: createCacheHandler({ cache, callers, protocols, traffic, log, trustedProxies, ...options }),
    }),
    grpcCalls: reapi.answer,
    room: describeCache(database, traffic),
    close: reapi.close,
  };
}

function describeCache({ db }: { db: Kysely<CacheTables> }, traffic: Traffic): ObservedRoom {
  const readSums = async (of: "entries" | "bytes") =>
    (await readTotals(db)).map((total): [string, number] => [total.tool, total[of]]);
  return {
    name: "cache",
    // Its database is that of the accounts, which say whether it answers.
    isReady: () => true,
    registerMetrics(metrics) {
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
    },
  };
}
