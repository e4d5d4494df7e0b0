/**
 * A failing disk.
 *
 * 1. Whichever file operation fails, and however: the write is refused, or its task fails, or nothing is
 *    noticed; indexes are as the successful tasks made them; the next write is accepted; the folder opens
 *    and has nothing left over.
 * 2. A full disk is reported with 507, a broken one with 503; then no task is made and nothing of the body
 *    stays.
 * 3. A refused commit is retried until the disk takes it; meanwhile the health is "degraded".
 * 4. Tasks that wait when the service closes continue when it is opened, in order, long bodies included.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import { type ContentService, openContentService } from "../changes/content-service.ts";
import type { ContentWork } from "../changes/content-state.ts";
import { createSearchStore } from "./store.ts";
import type { NewTask } from "./task.ts";
import { add, change, changeSettings, deleteBy } from "../testing/changes.ts";

/** The operation that fails, counted from now; -1: none. */
const fault = vi.hoisted(() => ({
  at: -1,
  code: "ENOSPC",
  /** Statements that the database refuses, while this is above 0. */
  statements: 0,
  wanted: /^$/,
  next(name: string): void {
    if (fault.at-- !== 0) return;
    throw Object.assign(new Error(`${fault.code}: ${name}`), { code: fault.code, syscall: name });
  },
  refuse(sql: string): void {
    if (fault.statements === 0 || !fault.wanted.test(sql)) return;
    fault.statements--;
    throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  },
}));

vi.mock("node:fs/promises", async (importActual) => {
  const actual = await importActual<typeof import("node:fs/promises")>();
  type Handle = Awaited<ReturnType<typeof actual.open>>;
  const failing =
    <Given extends unknown[], Result>(name: string, run: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      fault.next(name);
      return run(...given);
    };
  const guard = (handle: Handle): Handle =>
    new Proxy(handle, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        // A function of the handle, called with the caller's arguments.
        const bound = (value as (...given: unknown[]) => Promise<unknown>).bind(target);
        // No power is cut here, and waiting for the disk would take most of the time.
        if (name === "sync") return failing("sync", () => Promise.resolve());
        return ["write", "writeFile"].includes(String(name)) ? failing(String(name), bound) : bound;
      },
    });
  const open = failing("open", actual.open);
  return {
    ...actual,
    open: async (...given: Parameters<typeof actual.open>) => guard(await open(...given)),
    mkdir: failing("mkdir", actual.mkdir),
    rename: failing("rename", actual.rename),
    rm: failing("rm", actual.rm),
    readFile: failing("readFile", actual.readFile),
  };
});

vi.mock("node:sqlite", async (importActual) => {
  const actual = await importActual<typeof import("node:sqlite")>();
  class DatabaseSync extends actual.DatabaseSync {
    override exec(sql: string): void {
      fault.refuse(sql);
      super.exec(sql.replace("synchronous = FULL", "synchronous = OFF"));
    }
    override prepare(sql: string) {
      fault.refuse(sql);
      return super.prepare(sql);
    }
  }
  return { ...actual, DatabaseSync };
});

let folder: string;
let opened: ContentService | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "faults-"));
});
afterEach(async () => {
  fault.at = -1;
  fault.statements = 0;
  await close();
  await rm(folder, { recursive: true, force: true });
});

async function open(pause?: () => Promise<void>) {
  await close();
  const store = createSearchStore();
  opened = await openContentService({ store, dataDir: folder, ...(pause && { pause }) });
  return { store, service: opened };
}

async function close() {
  await opened?.close();
  opened = null;
}

type Opened = Awaited<ReturnType<typeof open>>;

function swap(): NewTask<ContentWork> {
  return { indexUid: null, type: "indexSwap", work: { kind: "swap", pairs: [["a", "b"]] } };
}

function rename(from: string, to: string): NewTask<ContentWork> {
  return { indexUid: from, type: "indexUpdate", work: { kind: "rename", to, primaryKey: null } };
}

const longText = "a long text ".repeat(6_000);

function idsOf({ store }: Opened, uid: string): string[] {
  const { index } = store.require(uid);
  return Array.from({ length: index.documentCount }, (_, at) => String(index.document(at)["id"])).sort();
}

const leftFiles = async () => ({
  indexes: (await readdir(folder))
    .filter((name) => name.includes(".index"))
    .map((name) => name.split(".")[0]),
  payloads: await readdir(join(folder, "payloads")),
});

test("1. every operation in turn", { timeout: 120_000 }, async () => {
  const at = await open();
  const wanted = { a: new Set(["0"]), b: new Set(["0"]) };
  for (const uid of ["a", "b", "c"]) await change(at.service, uid, add([{ id: "0" }]));
  await at.service.tasks.settled();
  let [name, free] = ["c", "d"];
  let refused = 0;
  let failed = 0;
  async function outcomeOf(task: Promise<{ uid: number }>): Promise<boolean> {
    try {
      const { uid } = await task;
      await at.service.tasks.settled();
      const { status, error } = at.service.tasks.get(uid)!;
      if (status === "failed")
        expect(error?.code).toMatch(/^(?:no_space_left_on_device|storage_unavailable|internal)$/);
      failed += status === "failed" ? 1 : 0;
      return status === "succeeded";
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(?:no_space|storage_un)/) as string });
      refused++;
      return false;
    }
  }
  let isOver = false;
  for (let operation = 0; !isOver && operation < 200; operation++) {
    fault.at = operation;
    fault.code = operation % 2 === 0 ? "ENOSPC" : "EIO";
    const [short, long] = [`s${operation}`, `l${operation}`];
    if (await outcomeOf(change(at.service, "a", add([{ id: short }])))) wanted.a.add(short);
    if (await outcomeOf(change(at.service, "a", add([{ id: long, longText }])))) wanted.a.add(long);
    if (await outcomeOf(at.service.enqueue(swap()))) [wanted.a, wanted.b] = [wanted.b, wanted.a];
    if (await outcomeOf(at.service.enqueue(rename(name, free)))) [name, free] = [free, name];
    isOver = fault.at >= 0;
    fault.at = -1;
    for (const uid of ["a", "b"] as const)
      expect(idsOf(at, uid), `operation ${operation}`).toEqual([...wanted[uid]].sort());
    expect([idsOf(at, name), at.store.get(free)], `operation ${operation}`).toEqual([["0"], undefined]);
  }
  expect(isOver).toBe(true);
  expect(refused).toBeGreaterThan(2);
  expect(failed).toBeGreaterThan(10);
  const after = await open();
  expect(after.service.problems).toEqual([]);
  for (const uid of ["a", "b"] as const) expect(idsOf(after, uid)).toEqual([...wanted[uid]].sort());
  expect([idsOf(after, name), after.store.get(free)]).toEqual([["0"], undefined]);
  expect(await leftFiles()).toEqual({ indexes: ["a", "b", name], payloads: [] });
});

test("2. told and undone", { timeout: 60_000 }, async () => {
  const { store, service } = await open();
  const app = createSearchRoutes({ store, content: service, adminKey: "key", publicIndexes: [] }).admin;
  const send = async (body: string) => {
    const response = await app.request("/indexes/a/documents", {
      method: "POST",
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body,
    });
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, code, retry: response.headers.get("retry-after") };
  };
  const long = JSON.stringify([{ id: 1, longText }]);
  fault.at = 1;
  fault.code = "ENOSPC";
  expect(await send(long)).toEqual({ status: 507, code: "no_space_left_on_device", retry: null });
  fault.at = 1;
  fault.code = "EIO";
  expect(await send(long)).toEqual({ status: 503, code: "storage_unavailable", retry: "5" });
  [fault.at, fault.statements, fault.wanted] = [-1, 1, /^INSERT INTO tasks/];
  expect(await send(long)).toEqual({ status: 507, code: "no_space_left_on_device", retry: null });
  expect(service.tasks.all()).toEqual([]);
  expect((await leftFiles()).payloads).toEqual([]);
  expect((await send(long)).status).toBe(202);
});

test("3. a refused commit", { timeout: 60_000 }, async () => {
  const pauses: boolean[] = [];
  const at = await open(async () => {
    pauses.push(at.service.isDegraded);
    expect(at.store.get("a")).toBeUndefined();
  });
  [fault.statements, fault.wanted] = [3, /^COMMIT$/];
  const task = await change(at.service, "a", add([{ id: 1 }]));
  await at.service.tasks.settled();
  expect(pauses).toEqual([true, true, true]);
  expect(at.service.isDegraded).toBe(false);
  expect(at.service.tasks.get(task.uid)?.status).toBe("succeeded");
  expect(idsOf(at, "a")).toEqual(["1"]);
  expect(idsOf(await open(), "a")).toEqual(["1"]);
});

test("4. what waits", { timeout: 60_000 }, async () => {
  const { service } = await open();
  const sent = [
    add([
      { id: 1, v: 1 },
      { id: 2, longText },
    ]),
    changeSettings({ filterableAttributes: ["v"] }),
    add([{ id: 1, v: 2 }]),
    deleteBy({ filter: "v = 1" }),
    deleteBy({ ids: ["2"] }),
    add([{ id: 3, v: 3, longText }]),
  ];
  const uids: number[] = [];
  for (const one of sent) uids.push((await change(service, "a", one)).uid);
  await service.enqueue(swap());
  await close();
  const again = await open();
  await again.service.tasks.settled();
  expect(again.service.tasks.all().map(({ status }) => status)).toEqual([
    "failed",
    ...sent.map(() => "succeeded"),
  ]);
  expect(again.service.tasks.all()[0]?.error?.code).toBe("index_not_found");
  const { index } = again.store.require("a");
  expect([index.document(0), index.document(1)]).toEqual([
    { id: 1, v: 2 },
    { id: 3, v: 3, longText },
  ]);
  expect((await leftFiles()).payloads).toEqual([]);
});
