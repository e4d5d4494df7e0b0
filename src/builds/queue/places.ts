/**
 * Places of builds at builders, in the records: all servers count the same ones. `grant-places.ts` decides which build is next;
 * asking for a place, and the end of a build, grant what is free.
 */
import { sql } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import { ASKED_LATELY_MS, STALLED_MS } from "../contract/limits.ts";
import { joinPlatforms } from "../contract/join-platforms.ts";
import type { BuildDatabase } from "../tables/schema.ts";
import type { GrantedPlace, Places } from "../contract/places.ts";
import { type AskedPlace, grantPlaces } from "./grant-places.ts";

export interface PlacesOptions {
  database: BuildDatabase;
  clock: () => number;
  perBuilder: number;
}

export function createPlaces({ database, clock, perBuilder }: PlacesOptions): Places {
  const listeners: ((place: GrantedPlace) => void)[] = [];
  const rules = () => ({ perBuilder, askedSince: clock() - ASKED_LATELY_MS });
  const { db } = database;
  const at = (buildId: string, platform: string) =>
    db.updateTable("build_places").where("build_id", "=", buildId).where("platform", "=", platform);
  const fill = async (projectId: string) => {
    const granted = await inTransaction(database, async (transaction) => {
      const places = await readPlaces(transaction, projectId, clock());
      return grant(transaction, { chosen: grantPlaces(places, rules()), now: clock() });
    });
    for (const place of granted) for (const listen of listeners) listen(place);
  };
  return {
    async ask({ id, project_id: projectId }, platform) {
      const asked = { buildId: id, projectId, platform };
      await inTransaction(database, (transaction) => addPlace(transaction, asked, clock()));
      await fill(projectId);
    },
    fill,
    async setOpened(buildId, platform) {
      await at(buildId, platform).set({ opened_at: clock(), error: "" }).execute();
    },
    async setFailed({ buildId, projectId, platform }, error) {
      await at(buildId, platform).set({ granted_at: null, error }).execute();
      await db
        .updateTable("builds")
        .set((row) => ({ platforms: "", revision: row("revision", "+", 1) }))
        .where("id", "=", buildId)
        .where("state", "=", "queued")
        .execute();
      await fill(projectId);
    },
    async setTried(buildId, platform, tried) {
      await at(buildId, platform)
        .set({ tried: tried.join(" ") })
        .execute();
    },
    async isWaiting(buildId) {
      const found = await db
        .selectFrom("build_places")
        .select("platform")
        .where("build_id", "=", buildId)
        .where("opened_at", "is", null)
        .where("error", "=", "")
        .where("asked_at", ">=", rules().askedSince)
        .executeTakeFirst();
      return found !== undefined;
    },
    onGranted: (listener) => void listeners.push(listener),
  };
}

type Transaction = Parameters<Parameters<typeof inTransaction<TablesOf<BuildDatabase>, unknown>>[1]>[0];
type TablesOf<Of> = Of extends { db: import("kysely").Kysely<infer Tables> } ? Tables : never;
type KeptPlace = AskedPlace & { createdAt: number };

async function addPlace(
  transaction: Transaction,
  { buildId, projectId, platform }: { buildId: string; projectId: string; platform: string },
  now: number,
): Promise<void> {
  const known = await transaction
    .updateTable("build_places")
    .set({ asked_at: now, error: "", tried: "" })
    .where("build_id", "=", buildId)
    .where("platform", "=", platform)
    .returning("build_id")
    .executeTakeFirst();
  if (known) return;
  const open = await transaction
    .selectFrom("builds")
    .select("id")
    .where("id", "=", buildId)
    .where("state", "in", ["queued", "running"])
    .executeTakeFirst();
  // It may have ended since its client asked, and only its end removes its places.
  if (!open) return;
  const { last } = await transaction
    .selectFrom("build_places")
    .select((row) => row.fn.max("number").as("last"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  const number = (last ?? 0) + 1;
  const times = { created_at: now, asked_at: now };
  await transaction
    .insertInto("build_places")
    .values({ build_id: buildId, project_id: projectId, platform, number, ...times })
    .execute();
}

async function readPlaces(transaction: Transaction, projectId: string, now: number): Promise<KeptPlace[]> {
  const rows = await transaction
    .selectFrom("build_places")
    .select(["build_id", "platform", "created_at", "asked_at", "granted_at", "opened_at", "error"])
    .where("project_id", "=", projectId)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({
    buildId: row.build_id,
    platform: row.platform,
    // A build whose builder could not be opened waits until its client asks again.
    askedAt: row.error === "" ? row.asked_at : 0,
    createdAt: row.created_at,
    isGranted: row.granted_at !== null,
    isStalled:
      row.granted_at !== null && row.opened_at === null && Math.abs(now - row.granted_at) >= STALLED_MS,
  }));
}

async function grant(
  transaction: Transaction,
  { chosen, now }: { chosen: readonly KeptPlace[]; now: number },
): Promise<GrantedPlace[]> {
  const granted: GrantedPlace[] = [];
  for (const { buildId, platform, createdAt } of chosen) {
    await transaction
      .updateTable("build_places")
      .set({ granted_at: now, opened_at: null })
      .where("build_id", "=", buildId)
      .where("platform", "=", platform)
      .execute();
    // From here on it waits for its builder, which people can see.
    const build = await transaction
      .updateTable("builds")
      .set((row) => ({
        platforms: sql<string>`case when state = 'queued' then ${joinPlatforms([platform])} else platforms end`,
        revision: row("revision", "+", 1),
      }))
      .where("id", "=", buildId)
      .returning("holder")
      .executeTakeFirst();
    granted.push({
      buildId,
      platform,
      holder: build?.holder ?? null,
      waitedMs: Math.max(0, now - createdAt),
    });
  }
  return granted;
}
