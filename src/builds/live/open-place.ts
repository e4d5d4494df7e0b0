/** Opens the builder of a build that has a place, on the server that holds the build. */
import { askDatabase, Refused } from "#accounts/index.ts";
import { MAX_ERROR_LENGTH } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import { cleanText, startBuild } from "../records/end-build.ts";
import { hasEnded } from "../records/follow-build.ts";
import { type BuildRow, findRow } from "../records/read-build.ts";
import { readUsualTime } from "../records/usual-time.ts";
import { endedAlready } from "./ended-already.ts";
import type { LiveBuilds } from "./live-builds.ts";
import { readWant } from "./read-want.ts";
import type { Servers } from "./servers.ts";

export interface OpenPlaceOptions extends BuildParts {
  liveBuilds: LiveBuilds;
  servers: Servers;
}

export interface Place {
  buildId: string;
  platform: string;
}

/** @returns the reason for the caller when it was not opened */
export async function openPlace(
  options: OpenPlaceOptions,
  place: Place,
  stopping: AbortSignal,
): Promise<"open" | "elsewhere" | Refused> {
  const { liveBuilds, places, holder, database } = options;
  const row = await askDatabase(() => findRow(database, place.buildId));
  if (!row || hasEnded(row.state)) return endedAlready(row ?? { id: place.buildId, state: "canceled" });
  if (row.holder !== holder) return "elsewhere";
  const want = await readWant(options, row);
  const other = await findOther(options, place);
  // Taken now, because a failure of another platform would drop the build until its builder is requested.
  const live = liveBuilds.take(row, want);
  try {
    // If another server has room, go there instead of waiting for a builder's end, unless other platforms of the build are here.
    const mayWait = other === undefined || !live.isIdle;
    await live.openBuilder(place.platform, { signal: stopping, mayWait });
    if (!(await begin(options, row, live.platforms))) {
      live.giveBack(place.platform);
      if (live.isIdle) liveBuilds.drop(live);
      return "elsewhere";
    }
    live.begin();
    await places.setOpened(row.id, place.platform);
    return "open";
  } catch (error) {
    const refused = unavailable(error);
    // The other platforms of the build continue: if one of them opens, the build stays here.
    if (other && !options.builders.isShared) await live.settlePlaces();
    const { isIdle } = live;
    if (isIdle) liveBuilds.drop(live);
    if (isIdle && (await handOver(options, row, place))) return "elsewhere";
    await places.setFailed({ ...place, projectId: row.project_id }, refused.message);
    return refused;
  }
}

/** Hands the build to a server that has not tried yet. @returns false: there is none */
async function handOver(options: OpenPlaceOptions, row: BuildRow, place: Place): Promise<boolean> {
  const { database, holder, places, servers } = options;
  const { db } = database;
  const { platform } = place;
  const other = await findOther(options, place);
  if (!other) return false;
  const { next, tried } = other;
  await places.setTried(row.id, platform, tried);
  const [moved] = await db
    .updateTable("builds")
    .set((build) => ({ holder: next.holder, revision: build("revision", "+", 1) }))
    .where("id", "=", row.id)
    .where("holder", "=", holder)
    .where("state", "=", "queued")
    .returning("id")
    .execute();
  if (moved) await servers.setHome(row.project_id, platform, next.server);
  // Another platform may have moved it first.
  return moved !== undefined || (await findRow(database, row.id))?.holder !== holder;
}

/** A server that has not tried any platform of the build yet, and the servers that have, including this one. */
async function findOther({ database, holder, servers }: OpenPlaceOptions, { buildId, platform }: Place) {
  const places = await database.db
    .selectFrom("build_places")
    .select(["platform", "tried"])
    .where("build_id", "=", buildId)
    .execute();
  const tried = new Set([...places.flatMap((place) => place.tried.split(" ")), holder]);
  const next = (await servers.list()).find((each) => !tried.has(each.holder));
  return places.some((place) => place.platform === platform) && next && { next, tried: [...tried] };
}

/** @returns false: another server has the build by now */
async function begin(
  options: OpenPlaceOptions,
  row: BuildRow,
  platforms: readonly string[],
): Promise<boolean> {
  const usualMs = await askDatabase(() => readUsualTime(options, row));
  return startBuild(options, row, { platforms, usualMs });
}

/** @public for errors of builders, which say what to do */
export function unavailable(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const message = error instanceof Error ? error.message : String(error);
  // A cluster or an engine may be the source, with text of any length.
  return new Refused("unavailable", cleanText(message).slice(0, MAX_ERROR_LENGTH), { cause: error });
}
