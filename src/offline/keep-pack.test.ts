/**
 * 1. An installed copy has every file under its address, with its headers, the site's own address in it, and pages that
 *    say of what day they are; progress is told to the end.
 * 2. A newer copy is there whole before it is used, and then the former one is gone; the same one is not loaded again.
 * 3. A download that is cut, is too long or has other bytes than the server named leaves the former copy, and nothing
 *    of itself.
 * 4. No room, before or while it is written: the former copy stays, and the reader is told.
 * 5. A copy follows the server by itself: after the interval, not for who saves data, and what went wrong is kept to be
 *    shown. Without a copy nothing is asked.
 * 6. Removing leaves nothing, also in the middle of a download and of what a former one has left.
 * 7. What the server says about its copy is believed only in its form.
 */
import { expect, test, vi } from "vitest";
import { CHECK_INTERVAL_MS } from "./limits.ts";
import { createPackKeeper } from "./keep-pack.ts";
import { readPack, writePack } from "./pack-format.ts";
import { readPackInfo } from "./pack-info.ts";
import { packCacheOf } from "./stored-pack.ts";
import { createTestCaches } from "./test-caches.ts";
import { createTestServer, testFiles, type TestServer } from "./test-server.ts";

const origin = "https://docs.example.com";

function start(first: TestServer) {
  const caches = createTestCaches();
  const state = { server: first, now: 1_000, savesData: false, quota: 1e9 };
  const onChange = vi.fn<() => void>();
  const keeper = createPackKeeper({
    caches,
    fetch: (address, options) => state.server.fetch(address, options),
    origin,
    now: () => state.now,
    savesData: () => state.savesData,
    estimate: async () => ({ quota: state.quota, usage: 0 }),
    onChange,
  });
  const read = async ({ info }: TestServer, path: string) =>
    (await caches.match(origin + path, { cacheName: packCacheOf(info.version) }))?.text();
  return { caches, state, keeper, onChange, read };
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
  const { caches, state, keeper, read, onChange } = start(former);
  await keeper.install();
  await keeper.install();
  expect(former.asked.filter((address) => address === former.info.address)).toHaveLength(1);

  const newer = (state.server = await createTestServer("newer"));
  let inUse: string | undefined;
  caches.beforePut = (url) => {
    // While the small entry is written, the copy that it will name is complete.
    if (!url.endsWith("/offline.json")) return;
    inUse = caches.paths(packCacheOf(newer.info.version)).at(-1);
  };
  onChange.mockClear();
  await keeper.install();
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
  ["with other bytes", ({ info }) => (info.sha256 = "0".repeat(64))],
  ["that is not there", ({ info }) => (info.address = "/assets/offline-0000000000.pack")],
];

test.each(broken)("3. a download %s", async (_, breakIt) => {
  const former = await createTestServer("former");
  const { caches, state, keeper, read } = start(former);
  await keeper.install();
  state.server = await createTestServer("newer");
  breakIt(state.server);
  await expect(keeper.install()).rejects.toThrow("The download broke off, and nothing was changed.");
  expect(state.server.isSending).toBe(false);
  expect((await keeper.current())?.info).toEqual(former.info);
  expect(await read(former, "/docs")).toContain("former");
  expect((await caches.keys()).toSorted()).toEqual(["millrace-offline", packCacheOf(former.info.version)]);
});

test("4. no room", async () => {
  const former = await createTestServer("former");
  const { caches, state, keeper, read } = start(former);
  await keeper.install();
  state.server = await createTestServer("newer");
  state.quota = 500;
  await expect(keeper.install()).rejects.toThrow(/has no room for the 1 MB/);
  expect(state.server.asked).not.toContain(state.server.info.address);

  state.quota = 1e9;
  caches.beforePut = (url) => {
    if (url.endsWith(".js")) throw new DOMException("full", "QuotaExceededError");
  };
  await expect(keeper.install()).rejects.toThrow(/has no room for the 1 MB/);
  expect(await caches.keys()).not.toContain(packCacheOf(state.server.info.version));
  expect(await read(former, "/docs")).toContain("former");
  expect((await keeper.current())?.info).toEqual(former.info);
});

test("5. it follows the server", async () => {
  const former = await createTestServer("former");
  const { caches, state, keeper } = start(former);
  await keeper.follow();
  expect(former.asked).toEqual([]);
  await keeper.install();

  const newer = (state.server = await createTestServer("newer"));
  await keeper.follow();
  expect(newer.asked).toEqual([]);
  state.now += CHECK_INTERVAL_MS;
  state.savesData = true;
  await keeper.follow();
  expect(newer.asked).toEqual([]);

  state.savesData = false;
  newer.cutAfter = 100;
  await keeper.follow();
  expect(await keeper.current()).toEqual({
    info: former.info,
    checkedAt: state.now,
    problem: "The download broke off, and nothing was changed. Try again in a moment.",
  });
  newer.cutAfter = Number.POSITIVE_INFINITY;
  state.now += CHECK_INTERVAL_MS;
  await keeper.follow();
  expect(await keeper.current()).toEqual({ info: newer.info, checkedAt: state.now });

  // Not even that nothing is new can be written down.
  state.now += CHECK_INTERVAL_MS;
  caches.beforePut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await keeper.follow();
  expect((await keeper.current())?.info).toEqual(newer.info);
});

test("6. removed", async () => {
  const { caches, keeper, state } = start(await createTestServer());
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
    { ...info, unpackedBytes: 1e12 },
    { ...info, unpackedBytes: -1 },
    { ...info, pages: "101" },
    { ...info, made: "yesterday" },
    { ...info, made: "2026-99-99T12:00:00.000Z" },
  ])
    expect(readPackInfo(wrong), JSON.stringify(wrong)).toBeNull();
});

test("7. a file whose lengths do not fit is no copy", () => {
  const bytes = writePack({ headers: {}, files: testFiles("x") });
  expect(readPack(bytes).files).toEqual(
    testFiles("x").map((file) => ({ ...file, body: expect.anything() as unknown })),
  );
  expect(() => readPack(bytes.subarray(0, bytes.length - 1))).toThrow("instead of");
});
