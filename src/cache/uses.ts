/** What was used and counted, written every few seconds: a hit must not wait for the disk. */
import { sql } from "kysely";
import { FLUSH_EVERY_MS, LAST_USE_EXACT_MS } from "./limits.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import type { CacheDatabase } from "./schema.ts";

const HOUR_MS = 60 * 60 * 1000;

export interface Counted {
  hits?: number;
  misses?: number;
  readBytes?: number;
  writtenBytes?: number;
}

export interface Uses {
  /** @param usedAt the last use that is known */
  touch(namespaceId: string, key: string, usedAt: number): void;
  count(namespaceId: string, counted: Counted): void;
  flush(): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
}

export interface UsesOptions {
  database: Pick<CacheDatabase, "db">;
  clock: () => number;
  onError: (error: unknown) => void;
}

export function createUses({ database: { db }, clock, onError }: UsesOptions): Uses {
  let touched = new Map<string, Set<string>>();
  let counts = new Map<string, Required<Counted> & { namespaceId: string; hour: number }>();

  async function flush(): Promise<void> {
    const [now, uses, sums] = [clock(), touched, counts];
    touched = new Map();
    counts = new Map();
    for (const [namespaceId, keys] of uses)
      for (const part of chunksOf([...keys], 500))
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await db
          .updateTable("cache_entries")
          .set({ used_at: now })
          .where("namespace_id", "=", namespaceId)
          .where("key", "in", part)
          .execute();
    for (const { namespaceId, hour, hits, misses, readBytes, writtenBytes } of sums.values())
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await db
        .insertInto("cache_counts")
        .values({
          namespace_id: namespaceId,
          hour,
          hits,
          misses,
          read_bytes: readBytes,
          written_bytes: writtenBytes,
        })
        .onConflict((conflict) =>
          conflict.columns(["namespace_id", "hour"]).doUpdateSet({
            hits: sql`cache_counts.hits + excluded.hits`,
            misses: sql`cache_counts.misses + excluded.misses`,
            read_bytes: sql`cache_counts.read_bytes + excluded.read_bytes`,
            written_bytes: sql`cache_counts.written_bytes + excluded.written_bytes`,
          }),
        )
        .execute();
  }

  const flushing = startPeriodicJob({ name: "cache.flush", everyMs: FLUSH_EVERY_MS, run: flush, onError });
  return {
    touch(namespaceId, key, usedAt) {
      if (clock() - usedAt < LAST_USE_EXACT_MS) return;
      const keys = touched.get(namespaceId);
      if (keys) keys.add(key);
      else touched.set(namespaceId, new Set([key]));
    },
    count(namespaceId, { hits = 0, misses = 0, readBytes = 0, writtenBytes = 0 }) {
      const hour = Math.floor(clock() / HOUR_MS);
      const name = `${namespaceId} ${hour}`;
      const sum = counts.get(name) ?? {
        namespaceId,
        hour,
        hits: 0,
        misses: 0,
        readBytes: 0,
        writtenBytes: 0,
      };
      sum.hits += hits;
      sum.misses += misses;
      sum.readBytes += readBytes;
      sum.writtenBytes += writtenBytes;
      counts.set(name, sum);
    },
    flush,
    async close() {
      await flushing.stop();
      await flush().catch(onError);
    },
  };
}

function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
