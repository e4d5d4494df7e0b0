/**
 * Removes content that is no longer needed, once in a cluster, every hour:
 *
 *   repositories of projects that are gone ─► uploads that took too long ─► manifests ─► blobs ─► mirrors
 *
 * Removed rows drop their references of `platform/blobs`, whose collector removes the files. Each portion is found and removed
 * in one transaction: a concurrent push finds its blob and keeps it, or learns that it is gone.
 */
import { createLeaseholder } from "#platform/database/lease.ts";
import { createSweepClock } from "#platform/database/sweep-clock.ts";
import { createJob, startPeriodicJob } from "#platform/jobs/job.ts";
import { FIRST_SWEEP_MS, SWEEP_EVERY_MS, SWEEP_LEASE_MS } from "../contract/limits.ts";
import { inPortions } from "./in-portions.ts";
import { sweepBlobs } from "./blobs.ts";
import { sweepManifests, type SweepOptions } from "./manifests.ts";
import { sweepRepositories } from "./repositories.ts";
import { sweepUploads } from "../uploads/sweep.ts";

export interface Sweeping {
  /** Runs the hourly work immediately. @returns null when another server is running it */
  sweep: () => Promise<true | null>;
  stop: () => Promise<void>;
}

const LEASE = "registry.sweep";

export function startSweeping(options: SweepOptions): Sweeping {
  const { database, clock, log } = options;
  const alone = createLeaseholder(database.db, { name: LEASE, clock, lastsMs: SWEEP_LEASE_MS });
  let last: Promise<unknown> = Promise.resolve();
  // One at a time in this process: concurrent sweeps would make each other start again.
  const sweepClock = createSweepClock(database.db, { name: LEASE, clock, log });
  const sweep = (signal: AbortSignal, askClock = sweepClock) => {
    const next = last.then(() =>
      alone(async (lost) => sweepAll({ ...options, clock: await askClock() }, lost), signal),
    );
    last = next.catch(() => {});
    return next;
  };
  const onError = (error: unknown) =>
    log.warn("Could not remove images that no one needs. Retrying.", { error });
  const first = createJob({
    name: "registry.first-sweep",
    first: { againMs: FIRST_SWEEP_MS },
    retry: undefined,
    jitter: 0.5,
    run: async (signal) => void (await sweep(signal)),
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
    sweep: () => sweep(new AbortController().signal, () => Promise.resolve(clock)),
    stop: async () => void (await Promise.all([first.stop(), hourly.stop()])),
  };
}

/** @param signal ends it between two transactions */
async function sweepAll(options: SweepOptions, signal: AbortSignal): Promise<true> {
  const stages = [
    () => sweepRepositories(options, signal),
    () => sweepUploads(options, signal),
    // Before blobs: blobs that only they named are removed in the same sweep.
    () => inPortions(() => sweepManifests(options), signal),
    () => inPortions(() => sweepBlobs(options), signal),
    async () => options.sweepMirrors?.(signal),
  ];
  const errors: unknown[] = [];
  for (const stage of stages)
    // A stage that fails does not stop the others.
    if (!signal.aborted) await stage().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return true;
}
