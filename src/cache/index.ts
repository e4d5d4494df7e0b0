/** The room's only entry point. */
export type { Cache, Grant, LargeEntry, ToolUsage, UsageCount, Writer } from "./contract/cache.ts";
export { completeActionResult } from "./reapi/action-cache/action-result.ts";
export { createProtocols } from "./tools/protocols.ts";
export * as cacheTools from "./tools/registry.ts";
export type { CacheTool } from "./tools/tool.ts";
export { createCacheHandler } from "./http/handler.ts";
export { createTraffic } from "./figures/traffic.ts";
export { createReapi } from "./reapi/reapi.ts";
export { createCache } from "./create-cache.ts";
export { cacheRoom } from "./open-cache.ts";
export { type CacheDatabase, type CacheTables, cacheMigrations } from "./records/schema.ts";
export type { Miss } from "./contract/misses.ts";
export { isTool, type Tool, TOOLS } from "./contract/tools.ts";
export * as byteStreamMessages from "./messages/gen/reapi/bytestream_pb.ts";
export * as reapiMessages from "./messages/gen/reapi/remote_execution_pb.ts";
