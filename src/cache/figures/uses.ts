/** Uses and counts, written every few seconds: a hit must not wait for the disk. */
import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import {
  FIND_AT_ONCE,
  FLUSH_EVERY_MS,
  LAST_USE_EXACT_MS,
  MAX_WAITING_USES,
  USES_AT_ONCE,
} from "../contract/limits.ts";
import { lockEntries } from "../records/lock-entries.ts";
import type { CacheDatabase } from "../records/schema.ts";

export const HOUR_MS = 60 * 60 * 1000;

export interface Counted {
  hits?: number;
  misses?: number;
  readBytes?: number;
  writtenBytes?: number;
}

export interface Uses {
  /** @param usedAt the last known use */
  touch(namespaceId: string, key: string, usedAt: number): void;
  count(namespaceId: string, counted: Counted): void;
  flush(): Promise<void>;
  /** Writes everything that waits. */
  close(): Promise<void>;
}

export interface UsesOptions {
  database: Pick<CacheDatabase, "db" | "kind">;
  clock: () => number;
  onError: (error: unknown) => void;
}

interface Sum extends Required<Counted> {
  namespaceId: string;
  hour: number;
  lastAt: number;
}

export function createUses({ database, clock, onError }: UsesOptions): Uses {
  let touched = new Map<string, Set<string>>();
  let waiting = 0;
  let counts = new Map<string, Sum>();

  async function flush(): Promise<void> {
    const [uses, sums] = [touched, counts];
    touched = new Map();
    waiting = 0;
    counts = new Map();
    await writeUses(database, uses, clock());
    await writeCounts(database, [...sums.values()]);
  }

  const flushing = startPeriodicJob({ name: "cache.flush", everyMs: FLUSH_EVERY_MS, run: flush, onError });
  return {
    touch(namespaceId, key, usedAt) {
      if (clock() - usedAt < LAST_USE_EXACT_MS || waiting >= MAX_WAITING_USES) return;
      waiting += 1;
      const keys = touched.get(namespaceId);
      if (keys) keys.add(key);
      else touched.set(namespaceId, new Set([key]));
    },
    count(namespaceId, { hits = 0, misses = 0, readBytes = 0, writtenBytes = 0 }) {
      const now = clock();
      const hour = Math.floor(now / HOUR_MS);
      const name = nameOf({ namespaceId, hour });
      let sum = counts.get(name);
      if (!sum) {
        sum = { namespaceId, hour, hits: 0, misses: 0, readBytes: 0, writtenBytes: 0, lastAt: now };
        counts.set(name, sum);
      }
      sum.lastAt = now;
      sum.hits += hits;
      sum.misses += misses;
      sum.readBytes += readBytes;
      sum.writtenBytes += writtenBytes;
    },
    flush,
    async close() {
      await flushing.stop();
      await flush().catch(onError);
    },
  };
}

async function writeUses(
  database: Pick<CacheDatabase, "db" | "kind">,
  uses: ReadonlyMap<string, ReadonlySet<string>>,
  now: number,
): Promise<void> {
  for (const [namespaceId, keys] of uses)
    for (const part of chunksOf([...keys].toSorted(), USES_AT_ONCE))
      await inTransaction(
        database,
        async (transaction) => {
          const names = part.map((key) => ({ namespaceId, key }));
          if (database.kind === "postgres") await lockEntries(transaction, database.kind, names);
          await transaction
            .updateTable("cache_entries")
            .set({ used_at: now })
            .where("namespace_id", "=", namespaceId)
            .where("key", "in", part)
            .execute();
        },
        "read committed",
      );
}

async function writeCounts(
  database: Pick<CacheDatabase, "db" | "kind">,
  sums: readonly Sum[],
): Promise<void> {
  // In the same order on every server: they wait for each other, and never in a circle.
  const sorted = sums.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  for (const part of chunksOf(sorted, FIND_AT_ONCE))
    await inTransaction(
      database,
      (transaction) =>
        transaction
          .insertInto("cache_counts")
          .values(
            part.map(({ namespaceId, hour, hits, misses, readBytes, writtenBytes, lastAt }) => ({
              namespace_id: namespaceId,
              hour,
              hits,
              misses,
              read_bytes: readBytes,
              written_bytes: writtenBytes,
              last_at: lastAt,
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(["namespace_id", "hour"]).doUpdateSet({
              hits: sql`cache_counts.hits + excluded.hits`,
              misses: sql`cache_counts.misses + excluded.misses`,
              read_bytes: sql`cache_counts.read_bytes + excluded.read_bytes`,
              written_bytes: sql`cache_counts.written_bytes + excluded.written_bytes`,
              // Replicas write their counts in any order.
              last_at: sql`case when excluded.last_at > cache_counts.last_at then excluded.last_at else cache_counts.last_at end`,
            }),
          )
          .execute(),
      "read committed",
    );
}

const nameOf = ({ namespaceId, hour }: Pick<Sum, "namespaceId" | "hour">) => `${namespaceId} ${hour}`;

export function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
