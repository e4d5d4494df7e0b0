/** The content of each tool's cache, and its use: by hour for the last day, by day for the last two weeks. */
import { sql } from "kysely";
import type { Actor } from "#accounts/index.ts";
import type { ToolUsage, UsageCount, UsageQuestion } from "../contract/cache.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { type Tool, TOOLS } from "../contract/tools.ts";

const HOUR_MS = 60 * 60 * 1000;
const HOURS_A_DAY = 24;
const DAYS = 14;

export interface UsageOptions {
  database: CacheDatabase;
  clock: () => number;
  quotaBytes: number;
  /** Writes the counts until now. */
  flush: () => Promise<void>;
}

/** @throws Refused */
export async function readUsage(
  { database, clock, quotaBytes, flush }: UsageOptions,
  actor: Actor,
  { tool, interval }: UsageQuestion = {},
): Promise<ToolUsage[]> {
  const organizationId = requireRight(actor, "cache.usage", tool);
  await flush();
  const hour = Math.floor(clock() / HOUR_MS);
  const held = await readHeld(database, organizationId);
  const steps = interval === "day" ? daysUntil(hour) : hoursUntil(hour);
  const firstHour = Math.min(steps[0]!.first, hour - HOURS_A_DAY + 1);
  const counted = await readCounted(database, organizationId, firstHour);
  const isWanted = (each: Tool) => (tool === undefined ? held.has(each) : each === tool);
  return TOOLS.filter(isWanted).map((each): ToolUsage => {
    const hours = counted.filter((row) => row.tool === each);
    const day = sumOf(hours, hour - HOURS_A_DAY + 1, hour);
    return {
      tool: each,
      entries: held.get(each)?.entries ?? 0,
      bytes: held.get(each)?.bytes ?? 0,
      quotaBytes,
      hits: day.hits,
      misses: day.misses,
      lastAt: hours.length > 0 ? Math.max(...hours.map(({ lastAt }) => lastAt)) : null,
      counts:
        interval === undefined
          ? []
          : steps.map(({ first, last }) => ({ startAt: first * HOUR_MS, ...sumOf(hours, first, last) })),
    };
  });
}

interface Step {
  first: number;
  last: number;
}

const hoursUntil = (hour: number): Step[] =>
  Array.from({ length: HOURS_A_DAY }, (_, index) => hour - HOURS_A_DAY + 1 + index).map((first) => ({
    first,
    last: first,
  }));

function daysUntil(hour: number): Step[] {
  const today = hour - (hour % HOURS_A_DAY);
  return Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * HOURS_A_DAY).map(
    (first) => ({
      first,
      last: first + HOURS_A_DAY - 1,
    }),
  );
}

async function readHeld(
  { db }: CacheDatabase,
  organizationId: string,
): Promise<Map<Tool, { entries: number; bytes: number }>> {
  const rows = await db
    .selectFrom("cache_namespaces")
    .select([
      "tool",
      ({ fn }) => fn.sum("entries").as("entries"),
      ({ fn }) => fn.sum("size_bytes").as("bytes"),
    ])
    .where("organization_id", "=", organizationId)
    .groupBy("tool")
    .execute();
  // PostgreSQL sums bigint as numeric, which arrives as a text.
  return new Map(
    rows.map(({ tool, entries, bytes }) => [tool, { entries: Number(entries), bytes: Number(bytes) }]),
  );
}

/** All of an organization's entries, including those of overlays. */
export async function countBytes(database: CacheDatabase, organizationId: string): Promise<number> {
  const held = await readHeld(database, organizationId);
  return [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

type Counted = Omit<UsageCount, "startAt"> & { tool: Tool; hour: number; lastAt: number };

async function readCounted(
  { db }: CacheDatabase,
  organizationId: string,
  firstHour: number,
): Promise<Counted[]> {
  const rows = await db
    .selectFrom("cache_counts")
    .innerJoin("cache_namespaces", "cache_namespaces.id", "cache_counts.namespace_id")
    .select([
      "tool",
      "hour",
      sql<string>`sum(hits)`.as("hits"),
      sql<string>`sum(misses)`.as("misses"),
      sql<string>`sum(read_bytes)`.as("read"),
      sql<string>`sum(written_bytes)`.as("written"),
      sql<string>`max(last_at)`.as("last"),
    ])
    .where("organization_id", "=", organizationId)
    .where("hour", ">=", firstHour)
    .groupBy(["tool", "hour"])
    .execute();
  return rows.map(({ tool, hour, hits, misses, read, written, last }) => ({
    tool,
    hour: Number(hour),
    hits: Number(hits),
    misses: Number(misses),
    readBytes: Number(read),
    writtenBytes: Number(written),
    lastAt: Number(last),
  }));
}

function sumOf(rows: readonly Counted[], first: number, last: number): Omit<UsageCount, "startAt"> {
  const sum = { hits: 0, misses: 0, readBytes: 0, writtenBytes: 0 };
  for (const row of rows) {
    if (row.hour < first || row.hour > last) continue;
    sum.hits += row.hits;
    sum.misses += row.misses;
    sum.readBytes += row.readBytes;
    sum.writtenBytes += row.writtenBytes;
  }
  return sum;
}
