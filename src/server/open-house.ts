/** Opens the ground and the rooms that stand on it, for the process that has `DATA_DIR`. */
import { siteConfig } from "#config";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openBlobStore } from "#platform/blobs/open-blob-store.ts";
import { openSharedClock } from "#platform/database/shared-clock.ts";
import type { Opened } from "#platform/house/open-or-close.ts";
import type { Room } from "#platform/house/room.ts";
import type { Log } from "#platform/log/log.ts";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "./pages/build-folders.ts";
import { type DataDisk, openDataDisk } from "./data-disk.ts";
import { noteRecordsPlace } from "./database/records-place.ts";
import { openSealedRecords } from "./database/sealed-records.ts";
import { watchTables } from "./database/watch-tables.ts";
import type { Environment } from "./environment.ts";
import type { Ground, PageOrigin } from "./ground.ts";
import { house } from "./house.ts";

export interface OpenHouseOptions {
  log: Log;
  /** Called once. */
  loadPages: () => Promise<PageOrigin>;
  /** Milliseconds to wait for a PostgreSQL that starts at the same time. */
  waitMs?: number;
}

export type OpenHouse = Awaited<ReturnType<typeof openHouse>>;

/** @throws UserError that says what to do about the disk, the database or the key; `opened` closes what is open */
export async function openHouse(
  env: Environment,
  { loadPages, ...options }: OpenHouseOptions,
  opened: Opened,
) {
  const { ground, disk } = await openGround(env, options, opened);
  let loaded: Promise<PageOrigin> | undefined;
  const pages = () => (loaded ??= loadPages());
  const { rooms, given } = await house.open({ ...ground, pages }, env, opened);
  disk.endStart();
  const all: readonly Room[] = [disk.room, ...rooms];
  return { origin: env.SITE_ORIGIN, rooms: all, ...given };
}

/** For the process that has `DATA_DIR`. @throws UserError */
export async function openGround(
  env: Environment,
  options: Omit<OpenHouseOptions, "loadPages">,
  opened: Opened,
): Promise<{ ground: Ground; disk: DataDisk }> {
  const { log } = options;
  const disk = await openDataDisk(env, log);
  opened.add(disk.close);
  const { database, secretKey } = await openSealedRecords(env, { ...options, reserve: disk.reserve });
  opened.add(database.close);
  await noteRecordsPlace(env, (text) => log.warn(text));
  const { look: lookAtClock, now: clock, stop } = await openSharedClock({ database, log });
  opened.add(stop);
  const store = await openBlobStore(env);
  opened.add(store.close);
  const collector = startCollector({ database, store, log, clock });
  opened.add(collector.stop);
  const blobs = createBlobs({
    database,
    store,
    onDropped: collector.wake,
    ...(disk.isForBlobs && { requireRoom: disk.watch.requireRoom }),
  });
  const ground: Ground = {
    log,
    root,
    version: packageJson.version,
    database,
    secretKey,
    clock,
    lookAtClock,
    haveTables: watchTables(database, log),
    disk: disk.watch,
    store,
    blobs,
    telemetryConfig: siteConfig.telemetry,
    algoliaAppId: siteConfig.search.algolia?.appId ?? null,
  };
  return { ground, disk };
}
