/** Queries of the cache pages. Tools' requests cause no events: they are counted, and read again while the page is visible. */
import { queryOptions } from "@tanstack/react-query";
import type {
  CacheEntry,
  CacheMiss,
  CacheNamespace,
  CacheServiceSimulateResponse,
  CacheWriter,
} from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";

/** A hidden page does not poll. */
const AGAIN_MS = 5_000;
const AGAIN_SLOWLY_MS = 30_000;

/** Usage by every tool that has made requests, with the counts of the last 14 days. */
export const cacheUsageQuery = (organization: string) =>
  queryOptions({
    queryKey: ["cache", organization, "usage"],
    queryFn: async ({ signal }): Promise<CacheNamespace[]> =>
      (await call("CacheService/GetUsage", { interval: "day" }, { organization, signal })).namespaces,
    refetchInterval: ({ state }) => (state.error ? AGAIN_SLOWLY_MS : AGAIN_MS),
  });

export const largeEntriesQuery = (organization: string) =>
  queryOptions({
    queryKey: ["cache", organization, "large-entries"],
    refetchInterval: AGAIN_SLOWLY_MS,
    queryFn: async ({ signal }): Promise<CacheEntry[]> =>
      (await call("CacheService/ListLargeEntries", {}, { organization, signal })).entries,
  });

export const cacheWritersQuery = (organization: string, tool: string) =>
  queryOptions({
    queryKey: ["cache", organization, "writers", tool],
    refetchInterval: AGAIN_SLOWLY_MS,
    queryFn: async ({ signal }): Promise<CacheWriter[]> =>
      (await call("CacheService/ListWriters", { tool }, { organization, signal })).writers,
  });

const MISSES_SHOWN = 10;

/** Read again when the page notices a miss. */
export const cacheMissesQuery = (organization: string, tool: string) =>
  queryOptions({
    queryKey: ["cache", organization, "misses", tool],
    queryFn: async ({ signal }): Promise<CacheMiss[]> =>
      (await call("CacheService/ListMisses", { tool, page_size: MISSES_SHOWN }, { organization, signal }))
        .misses,
  });

export const cacheSimulationQuery = (organization: string, tool: string) =>
  queryOptions({
    queryKey: ["cache", organization, "simulation", tool],
    queryFn: ({ signal }): Promise<CacheServiceSimulateResponse> =>
      call("CacheService/Simulate", { tool }, { organization, signal }),
  });
