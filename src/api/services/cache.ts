import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Cache,
  isTool,
  type Miss,
  type LargeEntry,
  type Tool,
  type ToolUsage,
  TOOLS,
  type UsageCount,
  type Writer,
} from "#cache/index.ts";
import type { Call, ServiceMethods } from "../calls/call.ts";
import { invalidArgument } from "../calls/errors.ts";
import type { CacheService } from "../gen/millrace/v1/cache_service_pb.ts";
import { toItems, toTimestamp } from "./convert.ts";

export const cacheMethods: ServiceMethods<typeof CacheService> = {
  async getUsage(call, { tool, interval }) {
    const cache = requireCache(call);
    if (interval !== "" && interval !== "hour" && interval !== "day")
      throw invalidArgument("interval must be one of: hour, day", "interval");
    const usage = await cache.usage(call.actor, {
      tool: tool === "" ? undefined : requireTool(tool),
      interval: interval === "" ? undefined : interval,
    });
    return { namespaces: usage.map(toNamespace) };
  },

  async reset(call, { tool }) {
    const freed = await requireCache(call).reset(call.actor, requireTool(tool), call.address);
    return { freedBytes: BigInt(freed) };
  },

  async listWriters(call, { tool }) {
    const writers = await requireCache(call).listWriters(call.actor, requireTool(tool));
    return { writers: writers.map(toWriter) };
  },

  async listMisses(call, { tool, ...input }) {
    const page = await requireCache(call).listMisses(call.actor, { tool: requireTool(tool), ...input });
    return { misses: toItems(page, toMiss), nextPageToken: page.nextPageToken };
  },

  async simulate(call, { tool }) {
    const { rates, ...simulation } = await requireCache(call).simulate(call.actor, requireTool(tool));
    return {
      rates: rates.map(({ bytes, hitRate }) => ({
        quotaBytes: BigInt(bytes),
        hits: BigInt(Math.round(hitRate * simulation.requests)),
      })),
      quotaBytes: BigInt(simulation.quotaBytes),
      requests: BigInt(simulation.requests),
      sampledRequests: BigInt(simulation.sampledRequests),
      since: toTimestamp(simulation.since),
    };
  },

  async listLargeEntries(call, { tool }) {
    const entries = await requireCache(call).listLargeEntries(
      call.actor,
      tool === "" ? undefined : requireTool(tool),
    );
    return { entries: entries.map(toEntry) };
  },

  async purge(call, { writerId, tokenId }) {
    const cache = requireCache(call);
    if ((writerId === "") === (tokenId === ""))
      throw invalidArgument("send either writer_id or token_id", "writer_id");
    const removed = await cache.purge(call.actor, writerId === "" ? { tokenId } : { writerId }, call.address);
    return { entries: BigInt(removed.entries), freedBytes: BigInt(removed.bytes) };
  },
};

function requireCache({ cache }: Call): Cache {
  if (cache) return cache;
  throw new ConnectError("The cache is not part of this server yet.", Code.Unimplemented);
}

function requireTool(tool: string): Tool {
  if (isTool(tool)) return tool;
  throw invalidArgument(
    `${tool === "" ? "tool is missing" : "tool is unknown"}: it must be one of ${TOOLS.join(", ")}`,
    "tool",
  );
}

const toEntry = ({ tool, key, size, writtenAt, usedAt, writer }: LargeEntry) => ({
  tool,
  key,
  sizeBytes: BigInt(size),
  writtenAt: toTimestamp(writtenAt),
  usedAt: toTimestamp(usedAt),
  writer,
});

const toNamespace = ({ tool, entries, bytes, quotaBytes, hits, misses, lastAt, counts }: ToolUsage) => ({
  tool,
  entries: BigInt(entries),
  sizeBytes: BigInt(bytes),
  quotaBytes: BigInt(quotaBytes),
  hits: BigInt(hits),
  misses: BigInt(misses),
  counts: counts.map(toCount),
  lastRequestAt: toTimestamp(lastAt),
});

const toCount = ({ startAt, hits, misses, readBytes, writtenBytes }: UsageCount) => ({
  startAt: toTimestamp(startAt),
  hits: BigInt(hits),
  misses: BigInt(misses),
  readBytes: BigInt(readBytes),
  writtenBytes: BigInt(writtenBytes),
});

const toWriter = ({
  projectId,
  subject,
  commitSha,
  ref,
  runUrl,
  firstAt,
  lastAt,
  entries,
  ...writer
}: Writer) => ({
  ...writer,
  projectId: projectId ?? "",
  subject: subject ?? "",
  commitSha: commitSha ?? "",
  ref: ref ?? "",
  runUrl: runUrl ?? "",
  firstAt: toTimestamp(firstAt),
  lastAt: toTimestamp(lastAt),
  entries: BigInt(entries),
});

const toMiss = ({ missedAt, times, writtenAt, removedAt, nearestAt, differences, ...miss }: Miss) => ({
  ...miss,
  missedAt: toTimestamp(missedAt),
  times: BigInt(times),
  writtenAt: toTimestamp(writtenAt),
  removedAt: toTimestamp(removedAt),
  nearestAt: toTimestamp(nearestAt),
  differences: [...(differences ?? [])],
});
