/**
 * How a start treats the folder that it finds.
 *
 * 1. A folder of a version without a catalog is taken over whole; if the first start is killed, it begins
 *    again.
 * 2. An index of an older format is rebuilt and is the same; its file is replaced.
 * 3. A damaged, foreign or newer file is put aside, never written to, never removed; its index answers with
 *    the reason and can be deleted; a good copy next to the catalog makes it usable again, and so does
 *    returning the file.
 * 4. A damaged catalog is put aside; indexes come back from their own headers, swapped ones under their new
 *    names, and task numbers continue.
 * 5. Replaced or removed indexes stay so, even if their files were not removed; an added file is taken in.
 * 6. The site's own index cannot be changed; a stored one with its name is kept.
 */
import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FORMAT_VERSION } from "#search/index.ts";
import { createSearchRoutes } from "../routes.ts";
import { type ContentService, openContentService } from "../changes/content-service.ts";
import { createSearchStore } from "./store.ts";
import { add, change, changeSettings } from "../testing/changes.ts";

/** Every start creates a thread. */
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let opened: ContentService[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalog-"));
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

async function open(builtInIndexes?: string[]) {
  const store = createSearchStore();
  const service = await openContentService({
    store,
    dataDir: folder,
    ...(builtInIndexes && { builtInIndexes }),
  });
  opened.push(service);
  return { store, service };
}

async function closeAll() {
  for (const service of opened) await service.close();
  opened = [];
}

/** Makes the indexes, with the documents in one file each, then closes. */
async function fill(...uids: string[]) {
  const { service } = await open();
  for (const uid of uids) {
    await change(service, uid, add([{ id: 1, of: uid }]));
    await change(service, uid, changeSettings({ filterableAttributes: ["of"], facetSearch: false }));
  }
  await service.tasks.settled();
  await closeAll();
}

/** The folder as in versions before the catalog: one file name for each index, and nothing else. */
async function asBefore() {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".index")) await rm(join(folder, name), { recursive: true });
    else await rename(join(folder, name), join(folder, name.replace(/\.\d+\.index$/, ".index")));
  }
}

const indexFiles = async () => (await readdir(folder)).filter((name) => name.includes(".index")).sort();

/** Puts other bytes of the engine into an index file. */
async function replaceBytes(file: string, bytes: Uint8Array) {
  const old = await readFile(file);
  const length = old.readUInt32LE(17);
  const header = JSON.parse(old.toString("utf8", 21, 21 + length)) as object;
  const json = Buffer.from(JSON.stringify({ ...header, bytes: bytes.byteLength }));
  const start = Math.ceil((21 + json.byteLength) / 8) * 8;
  const next = Buffer.alloc(start + bytes.byteLength);
  old.copy(next, 0, 0, 17);
  next.writeUInt32LE(json.byteLength, 17);
  json.copy(next, 21);
  next.set(bytes, start);
  await writeFile(file, next);
}

const fixture = (format: number) =>
  readFile(new URL(`../../search/file/fixtures/format-${format}.index`, import.meta.url));

test("1. before the catalog", async () => {
  await fill("a", "b");
  await asBefore();
  expect(await indexFiles()).toEqual(["a.index", "b.index"]);
  for (const _ of ["first start", "killed before its commit"]) {
    const { store, service } = await open();
    expect(service.problems).toEqual([]);
    expect(store.list().map(({ uid, protocol }) => [uid, protocol])).toEqual([
      ["a", { facetSearch: false }],
      ["b", { facetSearch: false }],
    ]);
    await closeAll();
    await asBefore();
  }
  const { service } = await open();
  await change(service, "a", add([{ id: 2 }]));
  await service.tasks.settled();
  await closeAll();
  expect(await indexFiles()).toEqual([expect.stringMatching(/^a\.\d+\.index$/), "b.index"]);
  expect((await open()).store.require("a").index.documentCount).toBe(2);
});

describe("2. former formats", () => {
  test.each(Array.from({ length: FORMAT_VERSION - 1 }, (_, at) => at + 1))("%s", async (format) => {
    await fill("a");
    const [name] = await indexFiles();
    await replaceBytes(join(folder, name!), await fixture(format));
    const first = await open();
    expect(first.service.problems).toEqual([]);
    const { index, protocol } = first.store.require("a");
    expect([index.documentCount, index.settings.synonyms, protocol]).toEqual([
      33,
      { cup: ["mug"] },
      { facetSearch: false },
    ]);
    expect(first.store.search("a", { q: "cup number 7" }).hits[0]?.document["id"]).toBe(107);
    await closeAll();
    expect(await indexFiles()).toEqual(["a.2.index"]);
    expect((await open()).store.require("a").bytes).toEqual(first.store.require("a").bytes);
  });
});

test("3. put aside", async () => {
  await fill("a", "b", "c");
  const [a, b] = await indexFiles();
  const good = await readFile(join(folder, a!));
  const damaged = Buffer.from(good);
  damaged[damaged.length - 5]! ^= 1;
  await writeFile(join(folder, a!), damaged);
  const newer = await fixture(FORMAT_VERSION);
  newer[8]!++;
  await replaceBytes(join(folder, b!), newer);

  const first = await open();
  const app = createSearchRoutes({
    store: first.store,
    content: first.service,
    adminKey: "key",
    publicIndexes: ["docs"],
  }).admin;
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await app.request(path, {
      method,
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as { [name: string]: unknown } };
  };
  expect((await ask("GET", "/health")).json).toEqual({ status: "degraded" });
  for (const [method, path, body] of [
    ["POST", "/indexes/a/search", { q: "x" }],
    ["POST", "/multi-search", { queries: [{ indexUid: "a" }] }],
    ["GET", "/indexes/a"],
    ["GET", "/indexes/a/settings"],
    ["GET", "/indexes/a/documents"],
    ["POST", "/indexes/a/documents", [{ id: 2 }]],
    ["PATCH", "/indexes/a/settings", { stopWords: [] }],
    ["DELETE", "/indexes/a/documents"],
    ["POST", "/indexes", { uid: "a" }],
    ["PATCH", "/indexes/a", { primaryKey: "x" }],
    ["POST", "/swap-indexes", [{ indexes: ["a", "c"] }]],
  ] as const) {
    const { status, json } = await ask(method, path, body);
    expect([path, status, json["code"]]).toEqual([path, 503, "index_unusable"]);
    expect(json["message"]).toMatch(
      /checksum .* is kept as a\..*\.index\.unusable-.* put a good copy named a\.index/,
    );
  }
  expect((await ask("GET", "/indexes")).json).toMatchObject({ total: 3 });
  await closeAll();
  const aside = (await indexFiles()).find((name) => name.startsWith("a."))!;
  expect(await readFile(join(folder, aside))).toEqual(damaged);

  // Still refused at the next start; a good copy is taken, and the newer file is there for its own version.
  expect((await open()).store.unusable().map(({ uid }) => uid)).toEqual(["a", "b"]);
  await closeAll();
  await writeFile(join(folder, "a.index"), good);
  const newerAside = (await indexFiles()).find((name) => name.startsWith("b."))!;
  await replaceBytes(join(folder, newerAside), await fixture(FORMAT_VERSION));
  const second = await open();
  expect(second.service.problems).toEqual([]);
  expect(second.store.list().map(({ uid, index }) => [uid, index.documentCount])).toEqual([
    ["a", 1],
    ["b", 33],
    ["c", 1],
  ]);
  await change(second.service, "a", add([{ id: 2 }]));
  await second.service.tasks.settled();
  await closeAll();
  expect(await indexFiles()).toContain(aside);
  expect((await open()).store.require("a").index.documentCount).toBe(2);
});

test("3. deleted while it cannot be used", async () => {
  await fill("a");
  const [name] = await indexFiles();
  await writeFile(join(folder, name!), "nothing");
  const { store, service } = await open();
  await service.enqueue({ indexUid: "a", type: "indexDeletion", work: { kind: "deleteIndex" } });
  await service.tasks.settled();
  expect([store.unusable(), service.isDegraded]).toEqual([[], false]);
  await change(service, "a", add([{ id: 5 }]));
  await service.tasks.settled();
  await closeAll();
  expect((await open()).store.require("a").index.document(0)).toEqual({ id: 5 });
  expect((await indexFiles()).filter((file) => file.includes("unusable"))).toHaveLength(1);
});

test("4. a damaged catalog", async () => {
  await fill("a", "b");
  const swapped = await open();
  await swapped.service.enqueue({
    indexUid: null,
    type: "indexSwap",
    work: { kind: "swap", pairs: [["a", "b"]] },
  });
  await swapped.service.tasks.settled();
  const lastTask = swapped.service.tasks.all()[0]!.uid;
  await closeAll();
  await writeFile(join(folder, "catalog.sqlite"), Buffer.alloc(20_000, 7));
  const { store, service } = await open();
  expect(service.problems.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("catalog.sqlite.damaged-"),
  ]);
  expect(store.list().map(({ uid, index }) => [uid, index.document(0)["of"]])).toEqual([
    ["a", "b"],
    ["b", "a"],
  ]);
  expect((await change(service, "a", add([{ id: 2 }]))).uid).toBeGreaterThan(lastTask);
  await service.tasks.settled();
  expect(store.require("a").index.documentCount).toBe(2);
});

test("5. leftovers and additions", async () => {
  await fill("a", "b");
  await asBefore();
  const { service } = await open();
  await copyFile(join(folder, "a.index"), join(folder, "kept"));
  await change(service, "a", add([{ id: 2 }]));
  await service.enqueue({ indexUid: "b", type: "indexDeletion", work: { kind: "deleteIndex" } });
  await service.tasks.settled();
  await closeAll();
  // If a process is killed between the commit and the removal the note is still there; here it is not.
  const { DatabaseSync } = await import("node:sqlite");
  const catalog = new DatabaseSync(join(folder, "catalog.sqlite"));
  catalog.exec("INSERT INTO removals VALUES ('a.index'), ('b.index')");
  catalog.close();
  await copyFile(join(folder, "kept"), join(folder, "a.index"));
  await copyFile(join(folder, "kept"), join(folder, "b.index"));
  const first = await open();
  expect(first.store.list().map(({ uid, index }) => [uid, index.documentCount])).toEqual([["a", 2]]);
  expect(await indexFiles()).toHaveLength(1);
  await closeAll();

  await copyFile(join(folder, "kept"), join(folder, "a.index"));
  const second = await open();
  expect(second.service.problems[0]?.reason).toContain("this file is not used");
  expect(second.store.require("a").index.documentCount).toBe(2);
  await second.service.enqueue({ indexUid: "a", type: "indexDeletion", work: { kind: "deleteIndex" } });
  await second.service.tasks.settled();
  await closeAll();
  expect((await open()).store.require("a").index.documentCount).toBe(1);
});

test("6. the site's own index", async () => {
  await fill("docs", "other");
  const { store, service } = await open(["another", "docs"]);
  expect(store.list().map(({ uid }) => uid)).toEqual(["other"]);
  expect(service.problems[0]?.reason).toContain("the name of the site's own index");
  store.replace("docs", await fixture(FORMAT_VERSION));
  const app = createSearchRoutes({ store, content: service, adminKey: "key", publicIndexes: ["docs"] }).admin;
  for (const [method, path, body] of [
    ["DELETE", "/indexes/docs"],
    ["POST", "/indexes", { uid: "docs" }],
    ["PATCH", "/indexes/docs", { primaryKey: "x" }],
    ["POST", "/swap-indexes", [{ indexes: ["other", "docs"] }]],
    ["POST", "/indexes/docs/documents", [{ id: 1 }]],
    ["PUT", "/indexes/docs/documents", [{ id: 1 }]],
    ["DELETE", "/indexes/docs/documents"],
    ["DELETE", "/indexes/docs/documents/1"],
    ["POST", "/indexes/docs/documents/delete", { filter: "id = 1" }],
    ["POST", "/indexes/docs/documents/delete-batch", [1]],
    ["PATCH", "/indexes/docs/settings", {}],
    ["DELETE", "/indexes/docs/settings"],
    ["PUT", "/indexes/docs/settings/stop-words", []],
    ["DELETE", "/indexes/docs/settings/stop-words"],
  ] as const) {
    const response = await app.request(path, {
      method,
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    expect([path, response.status, json]).toMatchObject([path, 403, { code: "index_built_in" }]);
  }
  expect(service.tasks.all()).toHaveLength(4);
  await closeAll();
  expect((await open()).store.list().map(({ uid }) => uid)).toEqual(["docs", "other"]);
});
