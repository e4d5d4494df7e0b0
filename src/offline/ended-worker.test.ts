/**
 * The state after the browser ended a worker in the middle.
 * 1. An update counts as failed from its start: it is not loaded again before the interval is over.
 * 2. The next page that is read online removes the rest of a first download, and the worker; not while a copy is
 *    loading, while a reader waits for one, or if the disk cannot tell whether there is a copy.
 *    A browser that does not remove the worker blocks no one.
 * 3. A copy that another worker switches to at that moment is not removed as a leftover.
 * 4. A copy that is removed while a newer description is fetched does not come back.
 */
import { expect, test, vi } from "vitest";
import { TIDY_MS } from "./limits.ts";
import { alone, awaited, packCacheOf, writeStoredPack } from "./stored-pack.ts";
import { origin, start } from "./testing/browser.ts";
import { createTestServer, type TestServer } from "./testing/server.ts";

const never = () => new Promise<never>(() => {});

/** Answers requests until the file is requested. */
function holdBack(server: TestServer) {
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  const fetch: TestServer["fetch"] = (address, options) => {
    if (address !== server.info.address) return server.fetch(address, options);
    resolve();
    return never();
  };
  return { server: { ...server, fetch }, isAsked };
}

test("1. an update", async () => {
  const former = await createTestServer("former");
  const { keeper, release, state } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const held = holdBack(newer);
  void release(held.server).renew();
  await held.isAsked;
  expect(await keeper.current()).toMatchObject({
    info: former.info,
    problem: expect.stringContaining("was interrupted") as string,
  });
  const next = release(newer);
  await expect(next.renew()).rejects.toThrow("not being loaded right now");
  state.now *= 1e6;
  await next.renew();
  expect(await next.current()).toEqual({ info: newer.info, checkedAt: state.now });
});

test("2. a first download", async () => {
  const server = await createTestServer();
  const unregister = vi.fn<() => Promise<boolean>>(async () => true);
  const { caches, keeper, release, state } = start(server, { unregister });
  const left = packCacheOf(server.info.version);
  await caches.open(left);

  await awaited(() => keeper.follow(), new AbortController().signal);
  const { match } = caches;
  caches.match = async () => Promise.reject(new DOMException("Internal error", "UnknownError"));
  await keeper.follow();
  caches.match = async () => ({ json: () => Promise.reject(new TypeError("Internal error")) }) as never;
  await keeper.follow();
  caches.match = match;
  expect(await caches.keys()).toEqual([left]);
  const held = holdBack(server);
  const loading = release(held.server);
  void loading.install();
  await held.isAsked;
  await caches.open(left);
  await loading.follow();
  expect(await caches.keys()).toEqual([left]);
  expect(unregister).not.toHaveBeenCalled();

  await keeper.follow();
  expect(await caches.keys()).toEqual([]);
  expect(unregister).toHaveBeenCalledOnce();

  state.server = server;
  await keeper.install();
  await keeper.follow();
  expect(unregister).toHaveBeenCalledOnce();
});

test("2. a browser that does not take the worker away", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const unregister = vi.fn<() => Promise<never>>(never);
    const { keeper } = start(await createTestServer(), { unregister });
    const followed = keeper.follow();
    await vi.waitFor(() => expect(unregister).toHaveBeenCalledOnce());
    // No one waits to write.
    expect(await alone(async () => "free")).toBe("free");
    await vi.advanceTimersByTimeAsync(TIDY_MS);
    await followed;
    expect(await awaited(async () => "free", new AbortController().signal)).toBe("free");
  } finally {
    vi.useRealTimers();
  }
});

test("3. a copy that is switched to meanwhile", async () => {
  const { caches, keeper, release, read } = start(await createTestServer("former"));
  await keeper.install();
  const newer = await createTestServer("newer");
  const newest = await createTestServer("newest");
  newest.isMissing = true;
  const switchTo = async () => {
    const cache = await caches.open(packCacheOf(newer.info.version));
    await cache.put(`${origin}/docs`, new Response("newer"));
    await writeStoredPack(caches, { info: newer.info, checkedAt: 2 });
  };
  const { keys } = caches;
  // Between the check of the used copy and of the existing copies: immediately, or when the lock is free.
  let switched: Promise<unknown> | undefined;
  caches.keys = async () => {
    if (!switched) {
      const isFree = await navigator.locks.request("millrace-offline-state", { ifAvailable: true }, Boolean);
      switched = isFree ? switchTo() : alone(switchTo);
      if (isFree) await switched;
    }
    return keys();
  };
  await expect(release(newest).install()).rejects.toThrow("was interrupted");
  await switched;
  expect((await keeper.current())?.info).toEqual(newer.info);
  expect(await read(newer, "/docs")).toBe("newer");
});

test("4. a removal while a newer copy is described", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const newerKeeper = release({
    ...newer,
    async fetch(address, options) {
      await keeper.remove();
      return newer.fetch(address, options);
    },
  });
  await expect(newerKeeper.renew()).rejects.toThrow("removed in the meantime");
  expect(await caches.keys()).toEqual([]);
});
