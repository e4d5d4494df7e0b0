/** The room's only door. */
export type { Cache, Grant } from "./cache.ts";
export { type CacheOptions, createCache } from "./create-cache.ts";
export { type CacheTables, cacheMigrations } from "./schema.ts";
export { isTool, type Tool, TOOLS } from "./tools.ts";
export { createReapi } from "./reapi/reapi.ts";
