import { createPackKeeper, type KeeperOptions } from "../keep-pack.ts";
import { packCacheOf } from "../stored-pack.ts";
import { createTestCaches } from "./caches.ts";
import type { TestServer } from "./server.ts";

export const origin = "https://docs.example.com";

type Seen = Pick<KeeperOptions, "updateWorker" | "unregister" | "onChange">;

/** A browser whose first worker was built with this server's copy. */
export function start(
  first: TestServer,
  {
    updateWorker = async () => false,
    unregister = async () => true,
    onChange = () => {},
  }: Partial<Seen> = {},
) {
  const caches = createTestCaches();
  const state = { server: first, now: 1_000, savesData: false, quota: 1e9 };
  /** The keeper of a worker that was built with this server's copy. */
  const keeperOf = ({ info }: TestServer) =>
    createPackKeeper({
      caches,
      fetch: (address, options) => state.server.fetch(address, options),
      origin,
      own: info,
      updateWorker,
      unregister,
      now: () => state.now,
      savesData: () => state.savesData,
      estimate: async () => ({ quota: state.quota, usage: 0 }),
      onChange,
    });
  /** Changes the server's release. @returns the newer worker's keeper */
  const release = (server: TestServer) => keeperOf((state.server = server));
  const keeper = keeperOf(first);
  const read = async ({ info }: TestServer, path: string) =>
    (await caches.match(origin + path, { cacheName: packCacheOf(info.version) }))?.text();
  return { caches, state, keeper, release, read };
}
