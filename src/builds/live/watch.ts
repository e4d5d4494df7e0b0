/**
 * Every two seconds: this server reports that it is alive, and ends builds that no server runs any more. Twice a second: it applies
 * what other servers received for its builds.
 *
 *   running, its server gone         ──► canceled, or as its client has reported; its server corrects that when it is back
 *   queued, its server gone          ──► another server, when its client asks again
 *   queued, and no client asks       ──► canceled
 *   ended through another server     ──► stops waiting for a builder
 *   its project deleted              ──► its builder ends
 */
import { startPeriodicJob } from "#platform/jobs/job.ts";
import { ABANDONED_MS, LOOK_FOR_PLACES_MS, SWEEP_PORTION, WATCH_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { endBuild, type Ending } from "../records/end-build.ts";
import { hasEnded } from "../records/follow-build.ts";
import type { Claim } from "../records/judge-solves.ts";
import { type BuildRow, selectBuilds } from "../records/read-build.ts";
import { followClock } from "./follow-clock.ts";
import type { Caches } from "./caches.ts";
import type { LiveBuilds } from "./live-builds.ts";
import { LOST, type Recovering } from "./recover.ts";
import type { Servers } from "./servers.ts";

export interface Watching {
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

type Parts = BuildParts & {
  liveBuilds: LiveBuilds;
  servers: Servers;
  recovering: Recovering;
  caches: Caches;
};

const ABANDONED = `No client asked for its builder in ${ABANDONED_MS / 60_000} minutes.`;

export async function startWatching(parts: Parts): Promise<Watching> {
  const { servers, log } = parts;
  const follow = followClock(parts);
  const look = async () => {
    // The machine may have slept, or the database's clock may have been set: an old time must not make a server look dead.
    await parts.lookAtClock();
    await follow();
    await servers.renew();
    await lookAtLiveBuilds(parts);
    await lookAtOthers(parts);
    await endAbandoned(parts);
    await fillPlaces(parts);
  };
  await look();
  const job = startPeriodicJob({
    name: "builds.watch",
    everyMs: WATCH_MS,
    run: look,
    onError: (error) => log.warn("Could not check on builds. Retrying.", { error }),
  });
  const told = startPeriodicJob({
    name: "builds.told",
    everyMs: LOOK_FOR_PLACES_MS,
    async run() {
      if (parts.database.kind === "sqlite") return;
      await lookAtLiveBuilds(parts);
      // A disk may be slow, and cancellations must not wait for it.
      void parts.caches.look().catch(() => {});
    },
    onError: () => {},
  });
  return {
    look,
    async stop() {
      await told.stop();
      await job.stop();
      await servers.leave();
    },
  };
}

async function lookAtLiveBuilds({ database, liveBuilds }: Parts): Promise<void> {
  const all = liveBuilds.all();
  if (all.length === 0) return;
  const rows = await selectBuilds(database.db)
    .where(
      "builds.id",
      "in",
      all.map(({ row }) => row.id),
    )
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const live of all) {
    const row = found.get(live.row.id);
    if (!row) void live.cancel("The project was deleted.");
    // Another server ended it while it was queued.
    else if (hasEnded(row.state)) void live.cancel("The build has ended.");
    else if (row.cancel_at !== null && row.state === "running")
      void live.cancel(`Canceled by ${row.canceled_by}.`, { name: row.canceled_by, id: row.created_by_id });
    // Only `end-by-caller.ts` writes it.
    else if (row.reported !== "") void live.finish(JSON.parse(row.reported) as Claim);
  }
}

/** Running builds without a living holder: also this server's own, when their end could not be written. */
async function lookAtOthers(parts: Parts): Promise<void> {
  const { database, liveBuilds, servers, recovering, holder } = parts;
  const living = (await servers.list()).map((each) => each.holder).filter((each) => each !== holder);
  let query = selectBuilds(database.db).where("builds.state", "=", "running").limit(SWEEP_PORTION);
  if (living.length > 0)
    query = query.where((row) =>
      row.or([row("builds.holder", "is", null), row("builds.holder", "not in", living)]),
    );
  const own = liveBuilds.all().map(({ row }) => row.id);
  if (own.length > 0) query = query.where("builds.id", "not in", own);
  for (const row of await query.execute())
    if (!liveBuilds.get(row.id) && !recovering.has(row.id)) await endBuild(parts, row, endingOf(row));
  await database.db
    .updateTable("build_places")
    .set({ granted_at: null, opened_at: null })
    .where("granted_at", "is not", null)
    .where("build_id", "in", (row) =>
      row
        .selectFrom("builds")
        .select("id")
        .where("state", "=", "queued")
        .where("holder", "is not", null)
        .where("holder", "not in", [holder, ...living]),
    )
    .execute();
}

/** The end that other servers received and its own server did not apply. */
function endingOf({ reported, cancel_at, canceled_by: name, created_by_id: id }: BuildRow): Ending {
  if (cancel_at !== null) return { state: "canceled", error: `Canceled by ${name}.`, by: { name, id } };
  // Only `end-by-caller.ts` writes it. When a build fails here, its client knows only that it was cut off.
  const { succeeded, digest } =
    reported === "" ? { succeeded: false, digest: "" } : (JSON.parse(reported) as Claim);
  return succeeded ? { state: "succeeded", digest } : { state: "canceled", error: LOST };
}

async function endAbandoned(parts: Parts): Promise<void> {
  const { database, clock, liveBuilds } = parts;
  const before = clock() - ABANDONED_MS;
  const rows = await selectBuilds(database.db)
    .where("builds.state", "=", "queued")
    .where("builds.created_at", "<", before)
    .where("builds.asked_at", "<", before)
    .limit(SWEEP_PORTION)
    .execute();
  for (const row of rows) {
    const live = liveBuilds.get(row.id);
    if (live) await live.cancel(ABANDONED);
    else await endBuild(parts, row, { state: "canceled", error: ABANDONED });
  }
}

/** Fills places of a server that ended before it could give them away. */
async function fillPlaces({ database, places, clock }: Parts): Promise<void> {
  const rows = await database.db
    .selectFrom("build_places")
    .select("project_id")
    .distinct()
    .where("granted_at", "is", null)
    .where("error", "=", "")
    .where("asked_at", ">=", clock() - ABANDONED_MS)
    .execute();
  for (const { project_id: projectId } of rows) await places.fill(projectId);
}
