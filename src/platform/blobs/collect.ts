/**
 * Removes unreferenced blobs, in one process of a cluster:
 *
 *   0 references, not held ─► the row ─► the file           soon after references were removed, and every hour
 *   a file without a row, older than a day ─► the file      left by a crash between the two steps; some shards an hour
 *   an unfinished upload ─► its parts                       left in S3 by a killed server; every hour
 *
 * While a backup holds the lease, the collector removes nothing, until records and files are copied.
 */
import { type Database, inTransaction } from "../database/database.ts";
import { createLeaseholder, type LeaseTables } from "../database/lease.ts";
import { createSweepClock } from "../database/sweep-clock.ts";
import { createJob, startPeriodicJob } from "../jobs/job.ts";
import type { Log } from "../log/log.ts";
import { type ByteStore, SHARDS } from "./byte-store.ts";
import {
  ABANDONED_MS,
  COLLECT_AFTER_MS,
  COLLECT_AT_ONCE,
  COLLECT_EVERY_MS,
  COLLECT_LEASE_MS,
  DIGESTS_AT_ONCE,
  ORPHAN_AGE_MS,
  REMOVE_TOGETHER,
  SHARDS_AN_HOUR,
} from "./limits.ts";
import type { BlobTables } from "./schema.ts";

export const COLLECT_LEASE = "blobs.collect";

export interface CollectorOptions {
  database: Database<BlobTables & LeaseTables>;
  store: ByteStore;
  log: Log;
  clock?: () => number;
}

export interface Collector {
  /** References were removed, or are about to be. */
  wake: () => void;
  /** Runs now. @returns how many blobs; null while another process collects, or a backup is written */
  collect: () => Promise<number | null>;
  /** Removes files without a row in all shards, and unfinished uploads, now. @returns how many files; null as above */
  removeOrphans: () => Promise<number | null>;
  stop: () => Promise<void>;
}

export function startCollector(options: CollectorOptions): Collector {
  const { database, log, clock = Date.now } = options;
  const never = new AbortController().signal;
  const search = { ...options, clock };
  const alone = createLeaseholder(database.db, { name: COLLECT_LEASE, clock, lastsMs: COLLECT_LEASE_MS });
  const sweepClock = createSweepClock(database.db, { name: COLLECT_LEASE, clock, log });
  const collect = (signal: AbortSignal) => alone((lost) => collectAll(search, lost), signal);
  const onError = (error: unknown) => log.warn("Could not remove unused blobs. Retrying.", { error });

  const soon = createJob({
    name: "blobs.collect-soon",
    // The transaction that removes the references must end first.
    wakeDelayMs: COLLECT_AFTER_MS,
    retry: { againMs: COLLECT_AFTER_MS },
    onError,
    run: async (signal) => void (await collect(signal)),
  });
  let shard = Math.floor(Math.random() * SHARDS.length);
  const hourly = startPeriodicJob({
    name: COLLECT_LEASE,
    everyMs: COLLECT_EVERY_MS,
    jitter: 0.1,
    onError,
    async run(signal) {
      await collect(signal);
      const shards = Array.from({ length: SHARDS_AN_HOUR }, (_, next) => shardAt(shard + next));
      const removed = await alone(
        async (lost) => removeOrphansOf({ ...search, clock: await sweepClock() }, shards, lost),
        signal,
      );
      if (removed !== null) shard += SHARDS_AN_HOUR;
    },
  });
  return {
    wake: soon.wake,
    collect: () => collect(never),
    removeOrphans: () => alone((lost) => removeOrphansOf(search, SHARDS, lost), never),
    stop: async () => void (await Promise.all([soon.stop(), hourly.stop()])),
  };
}

const shardAt = (number: number) => SHARDS[number % SHARDS.length] ?? "00";

type Search = CollectorOptions & { clock: () => number };

async function collectAll({ database, store, clock }: Search, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const places = await removeRows(database, clock());
    if (!places) break;
    count += places.length;
    await removeFiles(
      store,
      places.filter((place) => place !== null),
    );
  }
  return count;
}

/**
 * Rows first: a file without a row is found later, but a row without a file would be a broken promise.
 * @returns places; null: nothing to remove
 */
function removeRows(database: Database<BlobTables>, now: number): Promise<(string | null)[] | null> {
  return inTransaction(
    database,
    async (transaction) => {
      const unnamed = await transaction
        .selectFrom("blobs")
        .select("digest")
        .where("reference_count", "=", 0)
        .where("held_until", "<=", now)
        .limit(COLLECT_AT_ONCE)
        .execute();
      if (unnamed.length === 0) return null;
      // Some may be referenced again by now. Locked in the order that writers use, to avoid deadlocks.
      const query = transaction
        .selectFrom("blobs")
        .select(["digest", "place"])
        .where(
          "digest",
          "in",
          unnamed.map(({ digest }) => digest),
        )
        .where("reference_count", "=", 0)
        .where("held_until", "<=", now)
        .orderBy("digest");
      const rows = await (database.kind === "postgres" ? query.forUpdate() : query).execute();
      const digests = rows.map(({ digest }) => digest);
      if (digests.length === 0) return [];
      await transaction.deleteFrom("blobs").where("digest", "in", digests).execute();
      await transaction.deleteFrom("blob_contents").where("digest", "in", digests).execute();
      return rows.map(({ place }) => place);
    },
    "read committed",
  );
}

async function removeOrphansOf(
  { database, store, clock }: Search,
  shards: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  await store.removeAbandoned?.(clock() - ABANDONED_MS);
  let count = 0;
  for (const shard of shards) {
    if (signal.aborted) return count;
    for await (const places of store.places(shard))
      for (let start = 0; start < places.length && !signal.aborted; start += DIGESTS_AT_ONCE) {
        const unnamed = await findUnnamed(database, places.slice(start, start + DIGESTS_AT_ONCE));
        const ages = await Promise.all(unnamed.map((place) => store.writtenAt(place)));
        const now = Math.min(clock(), store.now?.() ?? Number.POSITIVE_INFINITY);
        const isOld = (at: number | null | undefined) => at != null && at < now - ORPHAN_AGE_MS;
        const orphans = unnamed.filter((_, index) => isOld(ages[index]));
        await removeFiles(store, orphans);
        count += orphans.length;
      }
  }
  return count;
}

async function findUnnamed({ db }: Database<BlobTables>, places: readonly string[]): Promise<string[]> {
  const named = await db.selectFrom("blobs").select("place").where("place", "in", places).execute();
  const known = new Set(named.map(({ place }) => place));
  return places.filter((place) => !known.has(place));
}

async function removeFiles(store: ByteStore, places: readonly string[]): Promise<void> {
  for (let start = 0; start < places.length; start += REMOVE_TOGETHER)
    await Promise.all(places.slice(start, start + REMOVE_TOGETHER).map((place) => store.remove(place)));
}
