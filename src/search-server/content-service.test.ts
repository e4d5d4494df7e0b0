/**
 * 1. What was announced as done is there after a restart: documents, settings, dates, swapped and deleted indexes.
 * 2. A file that is broken, cut, foreign or under another's name is refused with a reason; the others are served.
 * 3. No temporary file is left; a folder that cannot be written fails the task and what was served stays.
 * 4. Tasks that change one index run as one batch, in order; a deletion by filter sees what was added before it.
 * 5. Searches go on during a build and see the old index or the new one.
 * 6. Too many waiting tasks are refused; finished ones are forgotten oldest first.
 * 7. Tasks that change nothing build nothing: the same documents and settings again, deletions of what is not there.
 */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SearchDocument } from "#search/types.ts";
import { type ContentService, type ContentWork, openContentService } from "./content-service.ts";
import { createSearchStore } from "./store.ts";
import { type QueuedTask, TaskQueue } from "./task-queue.ts";

let folder: string;
const opened: ContentService[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "search-"));
});

afterEach(async () => {
  for (const service of opened.splice(0)) await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(dataDir: string | null = folder) {
  const store = createSearchStore();
  const service = await openContentService({ store, dataDir });
  opened.push(service);
  return { store, service };
}

function add(documents: SearchDocument[]): ContentWork {
  const operation = { kind: "replace" as const, documents, primaryKey: "id", skipCreation: false };
  return { kind: "documents", operation, mayCreate: true };
}

function enqueue(service: ContentService, indexUid: string, work: ContentWork) {
  return service.enqueue({ indexUid, type: "documentAdditionOrUpdate", work });
}

const path = (uid: string) => join(folder, `${uid}.index`);

test("1. restart", async () => {
  const first = await open();
  enqueue(first.service, "docs", {
    kind: "settings",
    body: { filterableAttributes: ["n"], facetSearch: false },
  });
  enqueue(
    first.service,
    "docs",
    add([
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ]),
  );
  enqueue(first.service, "other", add([{ id: 9 }]));
  enqueue(first.service, "gone", add([{ id: 9 }]));
  first.service.enqueue({ indexUid: "gone", type: "indexDeletion", work: { kind: "deleteIndex" } });
  first.service.enqueue({
    indexUid: null,
    type: "indexSwap",
    work: { kind: "swap", pairs: [["docs", "other"]] },
  });
  await first.service.tasks.settled();
  expect(first.service.tasks.all().map((task) => task.error)).toEqual([null, null, null, null, null, null]);

  const second = await open();
  expect(second.service.problems).toEqual([]);
  expect(second.store.list().map(({ uid }) => uid)).toEqual(["docs", "other"]);
  expect(second.store.search("other", { q: "", filter: "n = 2" }).hits[0]?.document).toEqual({ id: 2, n: 2 });
  const [before, after] = [first.store.require("other"), second.store.require("other")];
  expect({ ...after, index: null }).toEqual({ ...before, index: null });
}, 30_000);

test("2. broken files", async () => {
  const { service } = await open();
  for (const uid of ["a", "b", "c", "d", "e"]) enqueue(service, uid, add([{ id: 1, text: "hello" }]));
  await service.tasks.settled();
  const good = await readFile(path("a"));
  await writeFile(path("a"), good.subarray(0, good.length - 9));
  await writeFile(path("b"), "something else entirely");
  await rename(path("c"), path("x"));
  const damaged = Buffer.from(good);
  damaged.write("d", damaged.indexOf('"uid":"a"') + 7);
  damaged[damaged.length - 20]! ^= 0xff;
  await writeFile(path("d"), damaged);

  const next = await open();
  expect(next.store.list().map(({ uid }) => uid)).toEqual(["e"]);
  expect(next.service.problems.map(({ reason }) => reason)).toEqual([
    "it is cut short",
    "it is not an index file of this version",
    "it holds the index `c`",
    expect.any(String),
  ]);
}, 30_000);

test("3. nothing half-written", async () => {
  const { store, service } = await open();
  enqueue(service, "docs", add([{ id: 1 }]));
  await service.tasks.settled();
  await writeFile(`${path("docs")}.4711.tmp`, "left by a crash");
  await open();
  expect(await readdir(folder)).toEqual(["docs.index"]);

  const file = join(folder, "not-a-folder");
  await writeFile(file, "");
  const blocked = createSearchStore();
  blocked.replace("docs", store.require("docs").bytes);
  await expect(openContentService({ store: blocked, dataDir: file })).rejects.toThrow(/EEXIST|ENOTDIR/);

  await rm(folder, { recursive: true });
  await writeFile(folder, "");
  const task = enqueue(service, "docs", add([{ id: 2 }]));
  await service.tasks.settled();
  expect(service.tasks.get(task.uid)).toMatchObject({ status: "failed", error: { code: "internal" } });
  expect(store.require("docs").index.documentCount).toBe(1);
}, 30_000);

test("4. batches", async () => {
  const { store, service } = await open(null);
  enqueue(service, "docs", { kind: "settings", body: { filterableAttributes: ["n"] } });
  const tasks = [1, 2, 3].map((n) => enqueue(service, "docs", add([{ id: n, n }])));
  enqueue(service, "docs", add([{ n: 4 }]));
  const deletion = enqueue(service, "docs", {
    kind: "documents",
    operation: { kind: "deleteFilter", filter: "n >= 2" },
    mayCreate: false,
  });
  await service.tasks.settled();
  expect(new Set(tasks.map(({ uid }) => service.tasks.get(uid)!.batchUid))).toEqual(new Set([0]));
  expect(service.tasks.all().map(({ status }) => status)).toEqual([
    "succeeded",
    "failed",
    "succeeded",
    "succeeded",
    "succeeded",
    "succeeded",
  ]);
  expect(service.tasks.get(deletion.uid)!.details).toMatchObject({ deletedDocuments: 2 });
  expect(store.search("docs", { q: "" }).hits.map((hit) => hit.document["id"])).toEqual([1]);
});

test("5. searches during a build", async () => {
  const { store, service } = await open(null);
  enqueue(service, "docs", add([{ id: 0, text: "word" }]));
  await service.tasks.settled();
  const many = Array.from({ length: 3000 }, (_, id) => ({ id, text: `word number ${id}` }));
  enqueue(service, "docs", add(many));
  const totals = new Set<number>();
  const build = { isDone: false };
  const done = service.tasks.settled().then(() => (build.isDone = true));
  while (!build.isDone) {
    totals.add(store.require("docs").index.documentCount);
    expect(store.search("docs", { q: "word" }).hits.length).toBeGreaterThan(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  totals.add(store.require("docs").index.documentCount);
  expect(totals).toEqual(new Set([1, 3000]));
}, 30_000);

test("6. bounds", async () => {
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const queue = new TaskQueue<null>({
    runner: {
      canJoin: () => false,
      run: async (batch: readonly QueuedTask<null>[]) => {
        await blocked;
        return batch.map(() => ({}));
      },
    },
    clock: () => new Date(0),
    waitingTasks: 2,
    finishedTasks: 1,
  });
  const task = { indexUid: "a", type: "indexCreation", work: null } as const;
  queue.enqueue(task);
  const second = queue.enqueue(task);
  expect(() => queue.enqueue(task)).toThrow("2 tasks are waiting");
  expect(queue.cancel(new Set([second.uid]), 9)).toBe(1);
  release();
  await queue.settled();
  expect(queue.all().map(({ uid, status }) => [uid, status])).toEqual([[1, "canceled"]]);
});

test("7. nothing to do", async () => {
  const { store, service } = await open();
  const documents: SearchDocument[] = [
    { id: 1, title: "one", tags: ["a"] },
    { id: 2, title: "two" },
  ];
  const settle = async (work: ContentWork) => {
    const { uid } = enqueue(service, "docs", work);
    await service.tasks.settled();
    return service.tasks.get(uid);
  };
  await settle(add(documents));
  await settle({ kind: "settings", body: { filterableAttributes: ["title"] } });
  const before = store.require("docs");
  for (const work of [
    add(documents),
    { kind: "settings", body: { filterableAttributes: ["title"] } },
    { kind: "documents", operation: { kind: "deleteIds", ids: ["3"] }, mayCreate: false },
    { kind: "documents", operation: { kind: "deleteFilter", filter: "title = three" }, mayCreate: false },
  ] satisfies ContentWork[]) {
    expect((await settle(work))?.status).toBe("succeeded");
  }
  expect((await settle(add(documents)))?.details).toMatchObject({ indexedDocuments: 2 });
  expect(store.require("docs")).toBe(before);
  await settle({ kind: "settings", body: { facetSearch: false } });
  expect(store.require("docs")).toMatchObject({ bytes: before.bytes, protocol: { facetSearch: false } });
  for (const work of [
    add([{ id: 2, title: "second" }]),
    { kind: "documents", operation: { kind: "deleteFilter", filter: "title = second" }, mayCreate: false },
    { kind: "documents", operation: { kind: "deleteAll" }, mayCreate: false },
  ] satisfies ContentWork[]) {
    const { bytes } = store.require("docs");
    await settle(work);
    expect(store.require("docs").bytes).not.toBe(bytes);
  }
  expect(store.require("docs").index.documentCount).toBe(0);
}, 30_000);
