/** The rooms that keep blobs, as the environment says. */
import type { Accounts, Callers } from "#accounts/index.ts";
import type { RunningBuilds } from "#builds/index.ts";
import { type Cache, createCache } from "#cache/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import type { Log } from "#platform/log/log.ts";
import { createRegistry, DEFAULT_MIRROR_HOSTS, type Registry } from "#registry/index.ts";
import type { DataDisk } from "./data-disk.ts";
import type { Environment } from "./environment.ts";
import type { RecordDatabase } from "./database/record-tables.ts";
import { readMirrorOptions } from "./mirror-options.ts";
import { openBlobStore } from "./open-blob-store.ts";
import { type Opened, openOrClose } from "./open-or-close.ts";
import type { ObservedRoom, ServerRuntime } from "./runtime.ts";
import { serveBuilds, tunnelNote, waysOf } from "./serve-builds.ts";
import { serveCache } from "./serve-cache.ts";
import { serveRegistry } from "./serve-registry.ts";

export interface OpenedRooms {
  builds: RunningBuilds;
  cache: Cache;
  registry: Registry;
  parts: Pick<ServerRuntime, "grpcCalls" | "createRoomHandlers" | "others">;
  rooms: readonly ObservedRoom[];
  close: () => Promise<void>;
}

interface OpenRoomsOptions {
  accounts: Accounts;
  callers: Callers;
  database: RecordDatabase;
  log: Log;
  disk: Pick<DataDisk, "watch" | "isForBlobs">;
  /** Sets the accounts' clock right by the database's, where it is the database's. */
  lookAtClock: () => Promise<void>;
}

/** For the process that has `DATA_DIR`. @throws UserError when blobs cannot be kept */
export const openRooms = (env: Environment, options: OpenRoomsOptions): Promise<OpenedRooms> =>
  openOrClose((opened) => open(env, options, opened));

async function open(env: Environment, options: OpenRoomsOptions, opened: Opened): Promise<OpenedRooms> {
  const { accounts, callers, database, log, disk } = options;
  const { clock } = accounts;
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
  const cache = createCache({
    ...options,
    clock,
    blobs,
    quotaBytes: env.MILLRACE_CACHE_QUOTA,
    retentionMs: env.MILLRACE_CACHE_RETENTION,
  });
  opened.add(cache.close);
  const mirror = await readMirrorOptions(env);
  const registry = createRegistry({
    ...options,
    clock,
    blobs,
    store,
    quotaBytes: env.MILLRACE_IMAGE_QUOTA,
    retentionMs: env.MILLRACE_IMAGE_RETENTION,
    mirror,
    redirectBlobs: env.MILLRACE_BLOB_REDIRECT,
  });
  opened.add(registry.close);
  const cacheServer = serveCache(env, { cache, callers, database, log });
  opened.add(cacheServer.close);
  const registryServer = serveRegistry(env, { registry, callers, database, log });
  const buildsServer = await serveBuilds(env, {
    ...options,
    listen: registryServer.openBuilderDoor,
    mirrored: (mirror.hosts ?? DEFAULT_MIRROR_HOSTS).map(({ name }) => name),
  });
  opened.add(buildsServer.builds.close);
  return {
    builds: buildsServer.builds,
    cache,
    registry,
    parts: {
      grpcCalls: cacheServer.grpcCalls,
      createRoomHandlers: (around) => [
        cacheServer.createHandler(around),
        registryServer.createHandler(around),
        tunnelNote,
      ],
      others: waysOf(buildsServer.builds),
    },
    rooms: [cacheServer.room, registryServer.room, buildsServer.room],
    close: opened.close,
  };
}
