/**
 * 1. An installed copy has every file under its address, with its headers, the site's own address in it, and pages that
 *    show their date; progress is reported to the end.
 * 2. A newer worker's copy is complete before it is used, and then the former copy is removed; the same copy is not
 *    loaded again.
 * 3. A download that is cut, is too long or has other bytes than the server named keeps the former copy, and leaves
 *    no files of its own.
 * 4. If space runs out, before or during writing, the former copy stays, and the reader gets a message.
 * 5. A copy follows the server automatically: after the interval, not for readers who save data unless they ask, and an
 *    error is stored to be shown. Without a copy nothing is requested.
 * 6. Removing leaves nothing, also during a download and with leftovers of a former one.
 */
import { expect, test, vi } from "vitest";
import { CHECK_INTERVAL_MS } from "./limits.ts";
import { packCacheOf, writeStoredPack } from "./stored-pack.ts";
import { origin, start } from "./testing/browser.ts";
import { createTestServer, testFiles, type TestServer } from "./testing/server.ts";

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
  const onChange = vi.fn<() => void>();
  const { caches, keeper, release, read } = start(former, { onChange });
  await keeper.install();
  await keeper.install();
  expect(former.asked.filter((address) => address === former.info.address)).toHaveLength(1);

  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  let inUse: string | undefined;
  caches.beforePut = (url) => {
    // When the small entry is written, the copy that it names is complete.
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
  await expect(newerKeeper.renew()).rejects.toThrow("The download was interrupted, and nothing was changed.");
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
  const updateWorker = vi.fn<() => Promise<boolean>>(async () => false);
  const { caches, state, keeper, release } = start(former, { updateWorker });
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

  // A newer worker is starting: it reports its own result.
  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  state.now += CHECK_INTERVAL_MS;
  updateWorker.mockResolvedValueOnce(true);
  await keeper.follow();
  expect(newer.asked).toEqual([]);
  newer.cutAfter = 100;
  await expect(newerKeeper.renew()).rejects.toThrow("was interrupted");
  const problem = "The download was interrupted, and nothing was changed. Try again in a moment.";
  expect(await keeper.current()).toEqual({ info: former.info, checkedAt: state.now, problem });

  // The browser starts it with each opened page.
  newer.cutAfter = Number.POSITIVE_INFINITY;
  newer.asked.length = 0;
  await expect(newerKeeper.renew()).rejects.toThrow("not being loaded right now");
  state.now += CHECK_INTERVAL_MS;
  state.savesData = true;
  await expect(newerKeeper.renew()).rejects.toThrow("not being loaded right now");
  expect(newer.asked).toEqual([]);
  await writeStoredPack(caches, { info: former.info, checkedAt: state.now, isWanted: true });
  await newerKeeper.renew();
  expect(await newerKeeper.current()).toEqual({ info: newer.info, checkedAt: state.now });

  // Even the entry that nothing is new cannot be written.
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
  await expect(newerKeeper.renew()).rejects.toThrow("removed in the meantime");
  expect(await caches.keys()).toEqual(["another's"]);
});
