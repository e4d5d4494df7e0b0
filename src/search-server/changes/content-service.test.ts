/**
 * 1. Everything reported as done is there after a restart: documents, settings, dates, swapped and deleted
 *    indexes.
 * 2. A broken, truncated, foreign or misnamed file is refused with a reason; the others are served.
 * 3. No temporary file is left; a read-only folder fails the task, and the served index stays.
 * 4. Tasks that change one index run as one batch, in order; a deletion by filter sees earlier additions.
 * 5. Searches continue during a build and see the old index or the new one.
 * 6. Too many waiting tasks are refused; finished ones are forgotten oldest first.
 * 7. Tasks that change nothing build nothing: the same documents and settings again, deletions of missing
 *    documents.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SearchDocument } from "#search/index.ts";
import { Catalog } from "../catalog/catalog.ts";
import { openCatalogFile } from "../catalog/open-catalog-file.ts";
import { type ContentService, openContentService } from "./content-service.ts";
import { createSearchStore } from "../catalog/store.ts";
import { TaskQueue } from "./task-queue.ts";
import type { QueuedTask } from "./task-runner.ts";
import { add, change, changeSettings, deleteBy, type SentChange } from "../testing/changes.ts";

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

async function close(service: ContentService): Promise<void> {
  opened.splice(opened.indexOf(service), 1);
  await service.close();
}

/** The only file of an index. */
async function path(uid: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => new RegExp(`^${uid}\\.\\d+\\.index$`).test(name));
  expect(names).toHaveLength(1);
  return join(folder, names[0]!);
}

test("1. restart", async () => {
  const first = await open();
  const { service } = first;
  await change(service, "docs", changeSettings({ filterableAttributes: ["n"], facetSearch: false }));
  await change(
    service,
    "docs",
    add([
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ]),
  );
  await change(service, "other", add([{ id: 9 }]));
  await change(service, "gone", add([{ id: 9 }]));
  await service.enqueue({ indexUid: "gone", type: "indexDeletion", work: { kind: "deleteIndex" } });
  await service.enqueue({
    indexUid: null,
    type: "indexSwap",
    work: { kind: "swap", pairs: [["docs", "other"]] },
  });
  await service.tasks.settled();
  expect(service.tasks.all().map((task) => task.error)).toEqual([null, null, null, null, null, null]);
  await close(service);

  const second = await open();
  expect(second.service.problems).toEqual([]);
  expect(second.service.tasks.all()).toEqual(service.tasks.all());
  expect(second.store.list().map(({ uid }) => uid)).toEqual(["docs", "other"]);
  expect(second.store.search("other", { q: "", filter: "n = 2" }).hits[0]?.document).toEqual({ id: 2, n: 2 });
  const [before, after] = [first.store.require("other"), second.store.require("other")];
  expect({ ...after, index: null }).toEqual({ ...before, index: null });
  expect((await change(second.service, "docs", add([{ id: 3 }]))).uid).toBe(6);
}, 30_000);

test("2. broken files", async () => {
  const { service } = await open();
  for (const uid of ["a", "b", "c", "d", "e"]) await change(service, uid, add([{ id: 1, text: "hello" }]));
  await service.tasks.settled();
  await close(service);
  const good = await readFile(await path("a"));
  await writeFile(await path("a"), good.subarray(0, good.length - 9));
  await writeFile(await path("b"), "something else entirely");
  await writeFile(await path("c"), good);
  const damaged = Buffer.from(good);
  damaged.write("d", damaged.indexOf('"uid":"a"') + 7);
  damaged[damaged.length - 20]! ^= 0xff;
  await writeFile(await path("d"), damaged);

  const next = await open();
  expect(next.store.list().map(({ uid }) => uid)).toEqual(["e"]);
  expect(next.store.unusable().map(({ uid }) => uid)).toEqual(["a", "b", "c", "d"]);
  expect(next.service.isDegraded).toBe(true);
  expect(
    next.service.problems.map(
      ({ reason }) => /cannot be used: (.*?)\. Its file is kept as/.exec(reason)?.[1],
    ),
  ).toEqual([
    "it is cut short",
    "it is not an index file of this version",
    "it holds the index `a`",
    "The index's checksum does not match its content. Build it again",
  ]);
}, 30_000);

test("3. nothing half-written", async () => {
  const { store, service } = await open();
  await change(service, "docs", add([{ id: 1 }]));
  await service.tasks.settled();
  const before = (await readdir(folder)).sort();
  const file = await path("docs");
  await close(service);
  await writeFile(`${join(folder, "docs.index")}.4711.tmp`, "left by a crash");
  await writeFile(`${file}.4711-3.tmp`, "left by a crash");
  await writeFile(join(folder, "docs.99.index"), "never committed");
  await writeFile(join(folder, "payloads", "of-a-task-that-was-never-taken"), "x");
  const again = await open();
  expect((await readdir(folder)).sort()).toEqual(before);
  expect(await readdir(join(folder, "payloads"))).toEqual([]);
  expect(again.store.require("docs").index.documentCount).toBe(1);

  const blocked = createSearchStore();
  const blocker = join(folder, "not-a-folder");
  await writeFile(blocker, "");
  await expect(openContentService({ store: blocked, dataDir: blocker })).rejects.toThrow(/EEXIST|ENOTDIR/);
  await expect(openContentService({ store: blocked, dataDir: folder })).rejects.toThrow("in use by another");

  // A folder is in the file's place: this write fails, the next one succeeds.
  await mkdir(join(folder, `docs.${again.service.tasks.all().length}.index`));
  const task = await change(again.service, "docs", add([{ id: 2 }]));
  await again.service.tasks.settled();
  expect(again.service.tasks.get(task.uid)).toMatchObject({
    status: "failed",
    error: { code: "storage_unavailable" },
  });
  expect(again.store.require("docs").index.documentCount).toBe(1);
  expect(store.require("docs").index.documentCount).toBe(1);
}, 30_000);

test("4. batches", async () => {
  const { store, service } = await open(null);
  const sent = [
    changeSettings({ filterableAttributes: ["n"] }),
    ...[1, 2, 3].map((n) => add([{ id: n, n }])),
    add([{ n: 4 }]),
    deleteBy({ filter: "n >= 2" }),
  ];
  // Together, so that they wait for each other.
  const all = await Promise.all(sent.map((one) => change(service, "docs", one)));
  const [tasks, deletion] = [all.slice(1, 4), all.at(-1)!];
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
  await change(service, "docs", add([{ id: 0, text: "word" }]));
  await service.tasks.settled();
  const many = Array.from({ length: 3000 }, (_, id) => ({ id, text: `word number ${id}` }));
  await change(service, "docs", add(many));
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
  const { db } = openCatalogFile(null, new Date(0));
  const queue = new TaskQueue<null>({
    catalog: new Catalog(db),
    runner: {
      canJoin: () => false,
      prepare: async (batch: readonly QueuedTask<null>[]) => {
        await blocked;
        return { outcomes: batch.map(() => ({})) };
      },
    },
    pause: () => Promise.reject(new Error("No commit is refused here.")),
    clock: () => new Date(0),
    waitingTasks: 3,
    finishedTasks: 1,
  });
  const task = { indexUid: "a", type: "indexCreation", work: null } as const;
  queue.enqueue(task);
  // The first one is taken before the answer to its request is sent.
  await Promise.resolve();
  const [second, third] = [queue.enqueue(task), queue.enqueue(task)];
  const report = { indexUid: null, type: "taskCancelation", work: null } as const;
  expect(queue.cancel(new Set([second.uid]), report)).toMatchObject({
    uid: 3,
    details: { canceledTasks: 1 },
  });
  queue.enqueue(task);
  expect(() => queue.enqueue(task)).toThrow("3 tasks are waiting");
  expect(queue.get(second.uid)).toMatchObject({ status: "canceled", canceledBy: 3 });
  release();
  await queue.settled();
  expect(queue.all().map(({ uid, status }) => [uid, status])).toEqual([[4, "succeeded"]]);
  expect(queue.forget(new Set([third.uid, 4]), report).details).toEqual({ deletedTasks: 1 });
  await queue.settled();
  expect(queue.all().map(({ uid }) => uid)).toEqual([5]);
});

test("7. nothing to do", async () => {
  const { store, service } = await open();
  const documents: SearchDocument[] = [
    { id: 1, title: "one", tags: ["a"] },
    { id: 2, title: "two" },
  ];
  const settle = async (sent: SentChange) => {
    const { uid } = await change(service, "docs", sent);
    await service.tasks.settled();
    return service.tasks.get(uid);
  };
  await settle(add(documents));
  await settle(changeSettings({ filterableAttributes: ["title"] }));
  const before = store.require("docs");
  for (const sent of [
    add(documents),
    changeSettings({ filterableAttributes: ["title"] }),
    deleteBy({ ids: ["3"] }),
    deleteBy({ filter: "title = three" }),
  ]) {
    expect((await settle(sent))?.status).toBe("succeeded");
  }
  expect((await settle(add(documents)))?.details).toMatchObject({ indexedDocuments: 2 });
  expect(store.require("docs")).toBe(before);
  await settle(changeSettings({ facetSearch: false }));
  expect(store.require("docs")).toMatchObject({ bytes: before.bytes, protocol: { facetSearch: false } });
  for (const sent of [
    add([{ id: 2, title: "second" }]),
    deleteBy({ filter: "title = second" }),
    deleteBy("all"),
  ]) {
    const { bytes } = store.require("docs");
    await settle(sent);
    expect(store.require("docs").bytes).not.toBe(bytes);
  }
  expect(store.require("docs").index.documentCount).toBe(0);
}, 30_000);
