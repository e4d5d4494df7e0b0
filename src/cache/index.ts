/** The room's only entry point. */
export type { Cache, Grant, LargeEntry, ToolUsage, UsageCount, Writer } from "./cache.ts";
export { completeActionResult } from "./reapi/action-result.ts";
export { createProtocols } from "./tools/protocols.ts";
export { createCacheHandler } from "./http/handler.ts";
export { createTraffic } from "./traffic.ts";
export { createReapi } from "./reapi/reapi.ts";
export { createCache } from "./create-cache.ts";
export { cacheRoom } from "./open-cache.ts";
export { type CacheDatabase, type CacheTables, cacheMigrations } from "./schema.ts";
export type { Miss } from "./misses/list-misses.ts";
export { isTool, type Tool, TOOLS } from "./tools.ts";
export * as byteStreamMessages from "./reapi/gen/reapi/bytestream_pb.ts";
export * as reapiMessages from "./reapi/gen/reapi/remote_execution_pb.ts";
