/**
 * Keeps namespaces within their quota and entries within their age, once in a cluster:
 *
 *   a write ─► a second later: is its namespace, with its overlays, above the quota? ─► the least recently used entries are removed
 *   every hour ─► each namespace: organization gone, reset not finished, unused for too long, above the quota, empty
 *
 * While another replica has the lease the work waits.
 */
import { createLeaseholder } from "#platform/database/lease.ts";
import { createSweepClock } from "#platform/database/sweep-clock.ts";
import { runUrgently } from "#platform/database/urgent.ts";
import { createJob, startPeriodicJob } from "#platform/jobs/job.ts";
import type { Log } from "#platform/log/log.ts";
import { addUpChanges } from "../records/changes.ts";
import { FIRST_SWEEP_MS, QUOTA_AFTER_MS, SWEEP_EVERY_MS, SWEEP_LEASE_MS } from "../contract/limits.ts";
import { shrink, type ToolName } from "./quota.ts";
import type { Removal } from "../entries/remove-entries.ts";
import type { CacheDatabase } from "../records/schema.ts";
import { sweepAll } from "./sweep.ts";

export interface EvictionOptions {
  database: CacheDatabase;
  removal: Removal;
  clock: () => number;
  log: Log;
  quotaBytes: number;
  retentionMs: number;
}

export interface Eviction {
  /** Reports a write. */
  wake: (name: ToolName) => void;
  /** Runs the hourly work immediately. Does not wait for another replica that may be running it. */
  sweep: () => Promise<void>;
  stop: () => Promise<void>;
}

const LEASE = "cache.evict";

export function createEviction(options: EvictionOptions): Eviction {
  const { database, clock, log } = options;
  const written = new Map<string, ToolName>();
  const alone = createLeaseholder(database.db, { name: LEASE, clock, lastsMs: SWEEP_LEASE_MS });
  const onError = (error: unknown) =>
    log.warn("Could not remove old entries from the cache. Retrying.", { error });
  const again = { againMs: QUOTA_AFTER_MS };

  const quota = createJob({
    name: "cache.quota",
    wakeDelayMs: QUOTA_AFTER_MS,
    retry: again,
    onError,
    async run(signal) {
      const due = [...written];
      // On every server, with or without the lease: a server of the previous release reads nothing but the rows.
      await runUrgently(() => addUpChanges(database, clock()));
      await alone(async (lost) => {
        for (const [key, name] of due) {
          await shrink(options, name, lost);
          // If it was written again meanwhile, or is not finished, it is checked once more.
          if (written.get(key) === name && !lost.aborted) written.delete(key);
        }
      }, signal);
      return written.size === 0 ? undefined : again;
    },
  });
  const sweepClock = createSweepClock(database.db, { name: LEASE, clock, log });
  const sweep = async (signal: AbortSignal, askClock = sweepClock) =>
    void (await alone(async (lost) => sweepAll({ ...options, clock: await askClock() }, lost), signal));
  const first = createJob({
    name: "cache.first-sweep",
    first: { againMs: FIRST_SWEEP_MS },
    retry: undefined,
    jitter: 0.5,
    run: (signal) => sweep(signal),
    onError,
  });
  const hourly = startPeriodicJob({
    name: LEASE,
    everyMs: SWEEP_EVERY_MS,
    jitter: 0.1,
    run: (signal) => sweep(signal),
    onError,
  });
  return {
    wake({ organizationId, tool }) {
      written.set(`${organizationId} ${tool}`, { organizationId, tool });
      quota.wake();
    },
    sweep: () => sweep(new AbortController().signal, () => Promise.resolve(clock)),
    async stop() {
      await Promise.all([quota.stop(), first.stop(), hourly.stop()]);
      await addUpChanges(database, clock()).catch(onError);
    },
  };
}
