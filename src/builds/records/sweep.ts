/**
 * Every hour, once in a cluster: removes records of builds that are too old, and everything that deleted projects have left. Each
 * server removes layer caches of deleted projects from its own disk, even those without records of builds.
 */
import { inTransaction } from "#platform/database/database.ts";
import { createLeaseholder } from "#platform/database/lease.ts";
import { createSweepClock } from "#platform/database/sweep-clock.ts";
import { startPeriodicJob } from "#platform/jobs/job.ts";
import { SWEEP_EVERY_MS, SWEEP_LEASE_MS, SWEEP_PORTION } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { chargeBuild, chargedMs } from "./charge-build.ts";

export interface Sweeping {
  sweep: () => Promise<unknown>;
  stop: () => Promise<void>;
}

const LEASE = "builds.sweep";

/** @param last done after that: by each server, or once in a cluster if its servers share their builders */
export function startSweeping(parts: BuildParts, last: (signal: AbortSignal) => Promise<void>): Sweeping {
  const { database, builders, clock, log } = parts;
  const alone = createLeaseholder(database.db, { name: LEASE, clock, lastsMs: SWEEP_LEASE_MS });
  const sweepClock = createSweepClock(database.db, { name: LEASE, clock, log });
  const run = async (signal: AbortSignal, askClock = sweepClock) => {
    await emptyCaches(parts, signal);
    await alone(async (lost) => {
      await sweepAll({ ...parts, clock: await askClock() }, lost);
      if (builders.isShared) await last(lost);
    }, signal);
    if (!builders.isShared) await last(signal);
  };
  const job = startPeriodicJob({
    name: LEASE,
    everyMs: SWEEP_EVERY_MS,
    jitter: 0.1,
    run: (signal) => run(signal),
    onError: (error) => log.warn("Could not remove old builds. Retrying.", { error }),
  });
  return { sweep: () => run(new AbortController().signal, () => Promise.resolve(clock)), stop: job.stop };
}

async function sweepAll(parts: BuildParts, signal: AbortSignal): Promise<void> {
  const { database, clock, retentionMs } = parts;
  const { db } = database;
  const tooOld = () =>
    db
      .selectFrom("builds")
      .select("id")
      .where("created_at", "<", clock() - retentionMs)
      .where("state", "in", ["succeeded", "failed", "canceled"])
      .limit(SWEEP_PORTION)
      .execute();
  const ofNobody = () =>
    db
      .selectFrom("builds")
      .leftJoin("projects", "projects.id", "builds.project_id")
      .select("builds.id")
      .where("projects.id", "is", null)
      .limit(SWEEP_PORTION)
      .execute();
  for (;;) {
    const left = await ofNobody();
    const old = await tooOld();
    const ids = [...left, ...old].map(({ id }) => id);
    if (ids.length === 0 || signal.aborted) break;
    await removeBuilds(parts, ids);
  }
  await db
    .deleteFrom("build_durations")
    .where("measured_at", "<", clock() - retentionMs)
    .execute();
  await db
    .deleteFrom("build_homes")
    .where((row) =>
      row.not(
        row.exists(row.selectFrom("projects").select("id").whereRef("id", "=", "build_homes.project_id")),
      ),
    )
    .execute();
  // Requests to a server that has not come back.
  await db
    .deleteFrom("build_cache_asks")
    .where("asked_at", "<", clock() - retentionMs)
    .execute();
  // By then, the builds before it are gone.
  await db
    .deleteFrom("build_resets")
    .where("reset_at", "<", clock() - retentionMs)
    .execute();
}

async function emptyCaches({ database, builders, log }: BuildParts, signal: AbortSignal): Promise<void> {
  const kept = await builders.projects();
  if (kept.length === 0) return;
  // A project is created before its cache, so no existing project is missing here.
  const rows = await database.db.selectFrom("projects").select("id").execute();
  const known = new Set(rows.map(({ id }) => id));
  for (const project of kept) {
    if (known.has(project) || signal.aborted) continue;
    await builders.reset(project).catch((error: unknown) => {
      log.warn("The layer cache of a deleted project could not be removed.", { project, error });
    });
  }
}

function removeBuilds({ database, clock, timeoutMs }: BuildParts, ids: readonly string[]): Promise<void> {
  return inTransaction(database, async (transaction) => {
    // Builds whose project was deleted while they ran.
    const open = await transaction
      .selectFrom("builds")
      .select(["organization_id", "project_id", "started_at"])
      .where("id", "in", ids)
      .where("state", "in", ["queued", "running"])
      .execute();
    for (const row of open) {
      const ms = chargedMs(row.started_at, clock(), timeoutMs);
      await chargeBuild(transaction, row, { builds: 1, ms, at: clock() });
    }
    for (const table of [
      "build_log",
      "build_recipes",
      "build_files",
      "build_steps",
      "build_refs",
      "build_places",
      "build_overflows",
      "build_kept_logs",
    ] as const)
      await transaction.deleteFrom(table).where("build_id", "in", ids).execute();
    await transaction.deleteFrom("builds").where("id", "in", ids).execute();
  });
}
