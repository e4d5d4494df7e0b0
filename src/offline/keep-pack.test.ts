/**
 * 1. An installed copy has every file under its address, with its headers, the site's own address in it, and pages that
 *    say of what day they are; progress is told to the end.
 * 2. A newer worker has its copy there whole before it is used, and then the former one is gone; the same one is not
 *    loaded again.
 * 3. A download that is cut, is too long or has other bytes than the server named leaves the former copy, and nothing
 *    of itself.
 * 4. No room, before or while it is written: the former copy stays, and the reader is told.
 * 5. A copy follows the server by itself: after the interval, not for who saves data unless they ask, and what went wrong
 *    is kept to be shown. Without a copy nothing is asked.
 * 6. Removing leaves nothing, also in the middle of a download and of what a former one has left.
 * 7. What the server says about its copy is believed only in its form, of a bounded size, and for the one copy that the
 *    worker was built with.
 * 8. Pages and workers that act at once leave a copy in use that is whole, the newest that one of them brought.
 * 9. A download that trickles ends.
 */
import { expect, test, vi } from "vitest";
import { CHECK_INTERVAL_MS, DOWNLOAD_MS, STALL_MS } from "./limits.ts";
import { fetchPackInfo } from "./install-pack.ts";
import { createPackKeeper } from "./keep-pack.ts";
import { readPack, writePack } from "./pack-format.ts";
import { addressOf, readPackInfo } from "./pack-info.ts";
import { noteStoredPack, packCacheOf, readStoredPack, writeStoredPack } from "./stored-pack.ts";
import { createTestCaches } from "./test-caches.ts";
import { createTestServer, testFiles, type TestServer } from "./test-server.ts";

const origin = "https://docs.example.com";

function start(first: TestServer) {
  const caches = createTestCaches();
  const state = { server: first, now: 1_000, savesData: false, quota: 1e9 };
  const updateWorker = vi.fn<() => Promise<boolean>>(async () => false);
  const onChange = vi.fn<() => void>();
  /** What a worker has that was built together with the copy of this server. */
  const keeperOf = ({ info }: TestServer) =>
    createPackKeeper({
      caches,
      fetch: (address, options) => state.server.fetch(address, options),
      origin,
      own: info,
      updateWorker,
      now: () => state.now,
      savesData: () => state.savesData,
      estimate: async () => ({ quota: state.quota, usage: 0 }),
      onChange,
    });
  /** The server has another release from now on. @returns the newer worker's */
  const release = (server: TestServer) => keeperOf((state.server = server));
  const keeper = keeperOf(first);
  const read = async ({ info }: TestServer, path: string) =>
    (await caches.match(origin + path, { cacheName: packCacheOf(info.version) }))?.text();
  return { caches, state, keeper, release, updateWorker, onChange, read };
}

test("1. a whole copy", async () => {
  const { caches, state, keeper, read } = start(await createTestServer());
  const onProgress = vi.fn<(done: number, total: number) => void>();
  await keeper.install(onProgress);
  const { info } = state.server;
  expect(await keeper.current()).toEqual({ info, checkedAt: 1_000 });
  expect(caches.paths(packCacheOf(info.version))).toEqual(testFiles("").map(({ path }) => path));
  const page = await caches.match(`${origin}/docs`, { cacheName: packCacheOf(info.version) });
  expect(Object.fromEntries(page?.headers ?? [])).toEqual({
    "content-security-policy": "default-src 'self'",
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  const html = await page?.text();
  expect(html).toContain(`href="${origin}/docs"`);
  expect(html).toContain("words</p><p class=preview-mark>Offline copy of 23 November 2026</p></header>");
  expect(JSON.parse((await read(state.server, "/docs.data")) ?? "")).toBe(html);
  const missing = await caches.match(`${origin}/docs/404`, { cacheName: packCacheOf(info.version) });
  expect(missing?.status).toBe(404);
  expect(onProgress).toHaveBeenLastCalledWith(info.unpackedBytes, info.unpackedBytes);
});

test("2. a newer copy takes the place of the former one", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read, onChange } = start(former);
  await keeper.install();
  await keeper.install();
  expect(former.asked.filter((address) => address === former.info.address)).toHaveLength(1);

  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  let inUse: string | undefined;
  caches.beforePut = (url) => {
    // While the small entry is written, the copy that it will name is complete.
    if (!url.endsWith("/offline.json")) return;
    inUse = caches.paths(packCacheOf(newer.info.version)).at(-1);
  };
  onChange.mockClear();
  await newerKeeper.renew();
  expect(inUse).toBe("/assets/docs-12345678.js");
  expect(await read(newer, "/docs")).toContain("newer");
  expect(await caches.keys()).toEqual(["millrace-offline", packCacheOf(newer.info.version)]);
  expect(onChange).toHaveBeenCalledOnce();
});

const broken: [name: string, breakIt: (server: TestServer) => void][] = [
  ["cut in the middle", (server) => (server.cutAfter = 300)],
  ["cut before anything came", (server) => (server.cutAfter = 0)],
  ["longer than said", ({ info }) => (info.unpackedBytes -= 50)],
  ["much longer than said", ({ info }) => (info.unpackedBytes = 50)],
  ["shorter than said", ({ info }) => (info.unpackedBytes += 50)],
  ["with other bytes", (server) => (server.bytes[server.bytes.length - 1]! ^= 1)],
  ["that is not there", (server) => (server.isMissing = true)],
];

test.each(broken)("3. a download %s", async (_, breakIt) => {
  const former = await createTestServer("former");
  const { caches, state, keeper, release, read } = start(former);
  await keeper.install();
  const newerKeeper = release(await createTestServer("newer"));
  breakIt(state.server);
  await expect(newerKeeper.renew()).rejects.toThrow("The download broke off, and nothing was changed.");
  expect(state.server.isSending).toBe(false);
  expect((await keeper.current())?.info).toEqual(former.info);
  expect(await read(former, "/docs")).toContain("former");
  expect((await caches.keys()).toSorted()).toEqual(["millrace-offline", packCacheOf(former.info.version)]);
});

test("4. no room", async () => {
  const former = await createTestServer("former");
  const { caches, state, keeper, release, read } = start(former);
  await keeper.install();
  const newerKeeper = release(await createTestServer("newer"));
  state.quota = 500;
  await expect(newerKeeper.install()).rejects.toThrow(/has no room for the 1 MB/);
  expect(state.server.asked).not.toContain(state.server.info.address);

  state.quota = 1e9;
  caches.beforePut = (url) => {
    if (url.endsWith(".js")) throw new DOMException("full", "QuotaExceededError");
  };
  await expect(newerKeeper.install()).rejects.toThrow(/has no room for the 1 MB/);
  expect(await caches.keys()).not.toContain(packCacheOf(state.server.info.version));
  expect(await read(former, "/docs")).toContain("former");
  expect((await keeper.current())?.info).toEqual(former.info);
});

test("5. it follows the server", async () => {
  const former = await createTestServer("former");
  const { caches, state, keeper, release, updateWorker } = start(former);
  await keeper.follow();
  expect(former.asked).toEqual([]);
  await keeper.install();

  former.asked.length = 0;
  await keeper.follow();
  state.now += CHECK_INTERVAL_MS;
  state.savesData = true;
  await keeper.follow();
  expect(updateWorker).not.toHaveBeenCalled();
  state.savesData = false;
  await keeper.follow();
  expect(updateWorker).toHaveBeenCalledOnce();
  expect(former.asked).toEqual(["/offline.json"]);
  expect(await keeper.current()).toEqual({ info: former.info, checkedAt: state.now });

  // The clock was an hour ahead.
  await writeStoredPack(caches, { info: former.info, checkedAt: state.now + 4 * CHECK_INTERVAL_MS });
  await keeper.follow();
  expect(await keeper.current()).toEqual({ info: former.info, checkedAt: state.now });
  updateWorker.mockClear();

  // A newer worker is starting: it says itself what comes of it.
  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  state.now += CHECK_INTERVAL_MS;
  updateWorker.mockResolvedValueOnce(true);
  await keeper.follow();
  expect(newer.asked).toEqual([]);
  newer.cutAfter = 100;
  await expect(newerKeeper.renew()).rejects.toThrow("broke off");
  const problem = "The download broke off, and nothing was changed. Try again in a moment.";
  expect(await keeper.current()).toEqual({ info: former.info, checkedAt: state.now, problem });

  // The browser starts it with each page that is opened.
  newer.cutAfter = Number.POSITIVE_INFINITY;
  newer.asked.length = 0;
  await expect(newerKeeper.renew()).rejects.toThrow("not loaded now");
  state.now += CHECK_INTERVAL_MS;
  state.savesData = true;
  await expect(newerKeeper.renew()).rejects.toThrow("not loaded now");
  expect(newer.asked).toEqual([]);
  await writeStoredPack(caches, { info: former.info, checkedAt: state.now, isWanted: true });
  await newerKeeper.renew();
  expect(await newerKeeper.current()).toEqual({ info: newer.info, checkedAt: state.now });

  // Not even that nothing is new can be written down.
  state.savesData = false;
  state.now += CHECK_INTERVAL_MS;
  caches.beforePut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await newerKeeper.follow();
  expect((await newerKeeper.current())?.info).toEqual(newer.info);
});

test("6. removed", async () => {
  const { caches, keeper, release, state } = start(await createTestServer());
  await keeper.install();
  await caches.open("millrace-offline-left");
  await caches.open("another's");
  await keeper.remove();
  expect(await keeper.current()).toBeNull();
  expect(await caches.keys()).toEqual(["another's"]);

  const running = keeper.install(() => void keeper.remove());
  await expect(running).rejects.toThrow();
  await keeper.remove();
  expect(await caches.keys()).toEqual(["another's"]);
  await keeper.install();
  expect((await keeper.current())?.info).toEqual(state.server.info);

  // While a newer worker gets its copy.
  const newerKeeper = release(await createTestServer("newer"));
  let isFirst = true;
  caches.beforePut = () => {
    if (isFirst) void keeper.remove();
    isFirst = false;
  };
  await expect(newerKeeper.renew()).rejects.toThrow("removed meanwhile");
  expect(await caches.keys()).toEqual(["another's"]);
});

test("7. only what has the form of a description", async () => {
  const { info } = await createTestServer();
  expect(readPackInfo({ ...info, more: 1 })).toEqual(info);
  for (const wrong of [
    null,
    "text",
    [],
    {},
    { ...info, address: "https://elsewhere.example/offline-0000000000.pack" },
    { ...info, address: "/api/offline-0000000000.pack" },
    { ...info, address: "/assets/../api/offline-0000000000.pack" },
    { ...info, version: "../../x" },
    { ...info, version: "0123456789ab", address: "/assets/offline-0123456789ab.pack" },
    { ...info, address: "/assets/offline-0123456789ab.pack" },
    { ...info, unpackedBytes: 1e12 },
    { ...info, unpackedBytes: -1 },
    { ...info, pages: "101" },
    { ...info, made: "yesterday" },
    { ...info, made: "2026-99-99T12:00:00.000Z" },
  ])
    expect(readPackInfo(wrong), JSON.stringify(wrong)).toBeNull();
});

test("7. another copy than the worker's own, described rightly", async () => {
  const own = await createTestServer("own");
  const { caches, state, keeper } = start(own);
  const other = (state.server = await createTestServer("other"));
  await expect(keeper.install()).rejects.toThrow("is not the one");
  expect(await caches.keys()).toEqual([]);
  state.server = own;
  await keeper.install();
  state.server = other;
  state.now += CHECK_INTERVAL_MS;
  await keeper.follow();
  expect(await keeper.current()).toMatchObject({
    info: own.info,
    problem: expect.stringContaining("is not the one") as string,
  });
  expect(other.asked).toEqual(["/offline.json", "/offline.json"]);
});

test("7. the worker's own copy, described wrongly", async () => {
  const own = await createTestServer();
  const { caches, state, keeper } = start(own);
  const version = own.info.version.slice(0, 8);
  for (const wrong of [
    { made: "2031-01-01T12:00:00.000Z" },
    { pages: 9_999 },
    { bytes: 1 },
    { unpackedBytes: 99e6 },
    { version, address: addressOf(version) },
  ]) {
    state.server = { ...own, fetch: async () => Response.json({ ...own.info, ...wrong }) };
    await expect(keeper.install(), JSON.stringify(wrong)).rejects.toThrow("is not the one");
  }
  expect(await caches.keys()).toEqual([]);
});

test("7. a description without end", async () => {
  let sent = 0;
  const endless = async () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(1024).fill(0x20));
        },
      }),
    );
  await expect(fetchPackInfo(endless)).rejects.toThrow("did not describe");
  expect(sent).toBeLessThanOrEqual(8);
});

test("7. a file whose lengths do not fit is no copy", () => {
  const bytes = writePack({ headers: {}, files: testFiles("x") });
  expect(readPack(bytes).files).toEqual(
    testFiles("x").map((file) => ({ ...file, body: expect.anything() as unknown })),
  );
  expect(() => readPack(bytes.subarray(0, bytes.length - 1))).toThrow("instead of");
});

test("8. a page that read before a newer copy came, and writes after", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  await release(newer).renew();
  expect(await noteStoredPack(caches, former.info, { checkedAt: 1, isWanted: true })).toBe(false);
  expect(await keeper.current()).toMatchObject({ info: newer.info });
  expect(await read(newer, "/docs")).toContain("newer");
});

test("8. a page that writes while the newer copy is switched to", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  const notes: Promise<boolean>[] = [];
  caches.beforePut = (url) => {
    if (url.endsWith("/offline.json") && notes.length === 0)
      notes.push(noteStoredPack(caches, former.info, { checkedAt: 1, isWanted: true }));
  };
  await newerKeeper.renew();
  expect(await Promise.all(notes)).toEqual([false]);
  expect(await keeper.current()).toMatchObject({ info: newer.info });
  expect(await read(newer, "/docs")).toContain("newer");
});

test("8. a worker of a former release that brings the same copy at once", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const name = packCacheOf(newer.info.version);

  // It begins while this one writes: what is left is not whole.
  let written = 0;
  caches.beforePut = () => {
    if (++written === 3) void caches.delete(name);
  };
  await expect(release(newer).renew()).rejects.toThrow("broke off");
  expect((await keeper.current())?.info).toEqual(former.info);
  expect(await read(former, "/docs")).toContain("former");

  // It is done while this one downloads.
  caches.beforePut = () => {};
  const { fetch } = newer;
  const other = start(newer);
  await other.keeper.install();
  const ready = release({
    ...newer,
    async fetch(address, options) {
      if (address === newer.info.address) {
        await caches.open(name);
        await writeStoredPack(caches, { info: newer.info, checkedAt: 5 });
      }
      return fetch(address, options);
    },
  });
  const before = await readStoredPack(caches);
  expect(before?.info).toEqual(former.info);
  await ready.install();
  expect(await keeper.current()).toEqual({ info: newer.info, checkedAt: 5 });

  // It was ended before it had all: the copy in use has no files, and is brought again.
  await caches.delete(name);
  await release(newer).install();
  expect(await read(newer, "/docs")).toContain("newer");
});

test("9. a byte now and then, for ever", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const server = await createTestServer();
    const { caches, state, keeper } = start(server);
    let sent = 0;
    let ended = false;
    const trickle: TestServer["fetch"] = async (address, options) => {
      if (address !== server.info.address) return server.fetch(address, options);
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) =>
          new Promise((resolve) => {
            options.signal?.addEventListener("abort", () => {
              ended = true;
              controller.error(options.signal?.reason);
              resolve();
            });
            setTimeout(() => {
              sent += 1;
              if (!ended) controller.enqueue(server.bytes.slice(sent - 1, sent));
              resolve();
            }, STALL_MS - 1);
          }),
      });
      return new Response(body);
    };
    state.server = { ...server, fetch: trickle };
    const installing = keeper.install().catch((error: unknown) => error);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(3));
    await vi.advanceTimersByTimeAsync(DOWNLOAD_MS);
    expect(String(await installing)).toContain("broke off");
    expect(sent).toBeLessThanOrEqual(DOWNLOAD_MS / (STALL_MS - 1));
    expect(await caches.keys()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
