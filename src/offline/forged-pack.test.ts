/**
 * 1. The server's description of its copy is accepted only if it is well-formed, of a bounded size, and for the copy that the
 *    worker was built with.
 * 2. After concurrent actions of pages and workers, the copy in use is complete, and the newest that one of them brought.
 * 3. A download that trickles is ended.
 */
import { expect, test, vi } from "vitest";
import { fetchPackInfo } from "./install-pack.ts";
import { CHECK_INTERVAL_MS, DOWNLOAD_MS, STALL_MS } from "./limits.ts";
import { readPack, writePack } from "./pack-format.ts";
import { addressOf, readPackInfo } from "./pack-info.ts";
import { noteStoredPack, packCacheOf, readStoredPack, writeStoredPack } from "./stored-pack.ts";
import { start } from "./testing/browser.ts";
import { createTestServer, testFiles, type TestServer } from "./testing/server.ts";

test("1. only what has the form of a description", async () => {
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

test("1. a different copy from the worker's own, described rightly", async () => {
  const own = await createTestServer("own");
  const { caches, state, keeper } = start(own);
  const other = (state.server = await createTestServer("other"));
  await expect(keeper.install()).rejects.toThrow("offered a different copy");
  expect(await caches.keys()).toEqual([]);
  state.server = own;
  await keeper.install();
  state.server = other;
  state.now += CHECK_INTERVAL_MS;
  await keeper.follow();
  expect(await keeper.current()).toMatchObject({
    info: own.info,
    problem: expect.stringContaining("offered a different copy") as string,
  });
  expect(other.asked).toEqual(["/offline.json", "/offline.json"]);
});

test("1. the worker's own copy, described wrongly", async () => {
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
    await expect(keeper.install(), JSON.stringify(wrong)).rejects.toThrow("offered a different copy");
  }
  expect(await caches.keys()).toEqual([]);
});

test("1. a description without end", async () => {
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

test("1. a file whose lengths do not fit is not a copy", () => {
  const bytes = writePack({ headers: {}, files: testFiles("x") });
  expect(readPack(bytes).files).toEqual(
    testFiles("x").map((file) => ({ ...file, body: expect.anything() as unknown })),
  );
  expect(() => readPack(bytes.subarray(0, bytes.length - 1))).toThrow("instead of");
});

test("2. a page that read before a newer copy came, and writes after", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  await release(newer).renew();
  expect(await noteStoredPack(caches, former.info, { checkedAt: 1, isWanted: true })).toBe(false);
  expect(await keeper.current()).toMatchObject({ info: newer.info });
  expect(await read(newer, "/docs")).toContain("newer");
});

test("2. a page that writes while the newer copy is switched to", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const newerKeeper = release(newer);
  const notes: Promise<boolean>[] = [];
  caches.beforePut = (url) => {
    const isWritten = caches.paths(packCacheOf(newer.info.version)).length > 0;
    if (url.endsWith("/offline.json") && isWritten && notes.length === 0)
      notes.push(noteStoredPack(caches, former.info, { checkedAt: 1, isWanted: true }));
  };
  await newerKeeper.renew();
  expect(await Promise.all(notes)).toEqual([false]);
  expect(await keeper.current()).toMatchObject({ info: newer.info });
  expect(await read(newer, "/docs")).toContain("newer");
});

test("2. a worker of a former release that brings the same copy at once", async () => {
  const former = await createTestServer("former");
  const { caches, keeper, release, read } = start(former);
  await keeper.install();
  const newer = await createTestServer("newer");
  const name = packCacheOf(newer.info.version);

  // It begins while this worker writes: the remaining files are incomplete.
  let written = 0;
  caches.beforePut = () => {
    if (++written === 3) void caches.delete(name);
  };
  await expect(release(newer).renew()).rejects.toThrow("was interrupted");
  expect((await keeper.current())?.info).toEqual(former.info);
  expect(await read(former, "/docs")).toContain("former");

  // It finishes while this worker downloads.
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

  // It was ended early: the copy in use has no files, and is fetched again.
  await caches.delete(name);
  await release(newer).install();
  expect(await read(newer, "/docs")).toContain("newer");
});

test("3. a byte now and then, forever", async () => {
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
    expect(String(await installing)).toContain("was interrupted");
    expect(sent).toBeLessThanOrEqual(DOWNLOAD_MS / (STALL_MS - 1));
    expect(await caches.keys()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
