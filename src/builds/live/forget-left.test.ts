/**
 * Unmasked logs that BuildKit keeps:
 * 1. After a kill, the next start removes those of all builds of this server that ran or had ended meanwhile, of each solve and
 *    platform; those of another server's builds stay with it.
 * 2. A builder that does not open leaves the note, and an hour after the build's end it is tried again.
 * 3. A build without secrets leaves no note once it has ended.
 * 4. A builder that does not answer keeps no old record from being removed, and all builds have one time limit.
 * 5. Any number of builds whose builder never opens keep no other build's log.
 * 6. A build of a deleted project leaves no note, and no false warning.
 * 7. When servers share their builders, only the server that sweeps asks them.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { consoleLog } from "#platform/log/log.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { FORGET_OVERDUE_MS, MAX_CORRECTED } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, disk, platform } from "../testing/disk.ts";
import { startKeptRecords } from "../testing/kept-records.ts";
import { forgetLeft } from "./forget-left.ts";

type Place = Awaited<ReturnType<typeof openTestBuilds>>;
type State = "running" | "succeeded" | "canceled";
const HOUR_MS = 60 * 60 * 1000;

async function openBuildKit(...refs: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  const left = new Set(refs);
  const socket = join(folder, "socket");
  const { prunes, close } = await startKeptRecords(socket, left);
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true });
  });
  const place = { socket, ended: new Promise<string>(() => {}), isNew: true, release() {} };
  return { left, prunes, builders: { ...disk({}), open: async () => place } };
}

/** As a killed server leaves it. */
async function leave(
  { builds, caller, database, time }: Place,
  { projectId, server, state, refs }: { projectId: string; server: string; state: State; refs: object },
): Promise<string> {
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id } = await builds.create(caller, input);
  const finished_at = state === "running" ? null : time.now;
  const set = { holder: `${server}.killed`, state, started_at: time.now, finished_at };
  await database.db.updateTable("builds").set(set).where("id", "=", id).execute();
  const rows = Object.entries(refs).map(([ref, of]) => ({
    build_id: id,
    project_id: projectId,
    platform: of,
    ref,
  }));
  await database.db.insertInto("build_refs").values(rows).execute();
  await database.db.insertInto("build_kept_logs").values({ build_id: id, server }).execute();
  return id;
}

const noted = async ({ database }: Place) =>
  (await database.db.selectFrom("build_kept_logs").select("build_id").execute()).map((row) => row.build_id);

test.each(testDatabaseKinds)("1. after a kill: %s", async (kind) => {
  await using place = await openTestBuilds(kind, { server: "first" });
  const { id: projectId } = await place.addProject("web");
  // Until then, the other server of this test would end the build as lost.
  await place.database.db
    .insertInto("build_servers")
    .values({ holder: "killed.killed", server: "killed", address: "", expires_at: place.time.now + 20_000 })
    .execute();
  const add = (state: State, refs: object, server = "killed") =>
    leave(place, { projectId, server, state, refs });
  await add("running", { "ref-1": platform, "ref-2": arm });
  await add("succeeded", { "ref-3": platform });
  await add("canceled", { "ref-4": platform, unended: platform });
  const others = kind === "sqlite" ? [] : [await add("succeeded", { "ref-5": platform }, "other")];
  const { left, prunes, builders } = await openBuildKit("ref-1", "ref-2", "ref-3", "ref-4", "ref-5", "stock");
  const next = await place.openReplica({ server: "killed", builders });
  await vi.waitFor(async () => expect(await noted(place)).toEqual(others), { timeout: 10_000 });
  expect([...left]).toEqual(["ref-5", "stock"]);
  // Layers stay.
  expect(prunes.length).toBeGreaterThan(0);
  for (const filter of prunes) expect(filter).toEqual(["id==none"]);
  await next.close();
});

test.each(testDatabaseKinds)("2. no builder: %s", async (kind) => {
  const { left, builders } = await openBuildKit("ref-1");
  let error: Error | null = new Error("The disk is full.");
  const open = () => (error ? Promise.reject(error) : builders.open());
  await using place = await openTestBuilds(kind, { server: "one", builders: { ...builders, open } });
  const { id: projectId } = await place.addProject("web");
  const id = await leave(place, {
    projectId,
    server: "one",
    state: "succeeded",
    refs: { "ref-1": platform },
  });
  const sweepAt = async (ms: number) => {
    place.time.now += ms;
    await place.builds.sweep();
    return noted(place);
  };
  expect(await sweepAt(HOUR_MS + 1)).toEqual([id]);
  error = null;
  expect(await sweepAt(1)).toEqual([]);
  expect([...left]).toEqual([]);
});

test.each(testDatabaseKinds)("3. without secrets: %s", async (kind) => {
  await using place = await openTestBuilds(kind);
  const { builds, caller } = place;
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  await builds.getEndpoint(caller, { buildId, platform });
  const solve = { frontend: "", exporters: [], cacheExports: [], cacheImports: [], entitlements: [] };
  await place.way
    .find(buildId, platform)!
    .onSolve({ ...solve, ref: "ref-0123456789", attributes: {}, isInternal: false });
  expect(await noted(place)).toEqual([buildId]);
  await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
  await vi.waitFor(async () => expect(await noted(place)).toEqual([]), { timeout: 10_000 });
});

const leaveEnded = (place: Place, projectId: string) =>
  leave(place, { projectId, server: "one", state: "succeeded", refs: { [randomUUID()]: platform } });

test.each(testDatabaseKinds)("4. a silent builder: %s", async (kind) => {
  const over = new AbortController();
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout");
  spy.mockImplementation((ms) => (ms === FORGET_OVERDUE_MS ? over.signal : timeout.call(AbortSignal, ms)));
  onTestFinished(() => spy.mockRestore());
  let opened = 0;
  const open = (_: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    opened += 1;
    return new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("Too late.")));
    });
  };
  await using place = await openTestBuilds(kind, { server: "one", builders: { ...disk({}), open } });
  const { id: projectId } = await place.addProject("web");
  const { db } = place.database;
  const old = await leaveEnded(place, projectId);
  await db.updateTable("builds").set({ created_at: 0 }).where("id", "=", old).execute();
  const ids = [await leaveEnded(place, projectId), await leaveEnded(place, projectId)];
  place.time.now += HOUR_MS + 1;
  const swept = place.builds.sweep();
  await vi.waitFor(() => expect(opened).toBe(1), { timeout: 10_000 });
  const left = await db.selectFrom("builds").select("id").execute();
  over.abort();
  await swept;
  expect(left.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(opened).toBe(1);
  expect((await noted(place)).toSorted()).toEqual(ids.toSorted());
});

test("5. many builds without a builder", async () => {
  const { builders } = await openBuildKit("ref-1");
  const open = async ({ projectId }: { projectId: string }) => {
    if (projectId !== good.id) throw new Error("The disk is full.");
    return builders.open();
  };
  await using place = await openTestBuilds("sqlite", { server: "one", builders: { ...builders, open } });
  const good = await place.addProject("good");
  const bad = await place.addProject("bad");
  const id = await leaveEnded(place, good.id);
  for (let n = 0; n < MAX_CORRECTED; n += 1) {
    place.time.now += 1;
    await leaveEnded(place, bad.id);
  }
  place.time.now += HOUR_MS + 1;
  // Each leaves out one of 51.
  for (let n = 0; n < 5; n += 1) await place.builds.sweep();
  const left = await noted(place);
  expect(left).not.toContain(id);
  expect(left).toHaveLength(MAX_CORRECTED);
});

test.each(testDatabaseKinds)("6. a deleted project: %s", async (kind) => {
  await using place = await openTestBuilds(kind, { server: "one" });
  const { id: projectId } = await place.addProject("web");
  const id = await leaveEnded(place, projectId);
  await place.database.db.deleteFrom("projects").where("id", "=", projectId).execute();
  const warnings: string[] = [];
  const log = { ...consoleLog, warn: (message: string) => void warnings.push(message) };
  const parts = { database: place.database, builders: disk({}), clock: () => place.time.now, log };
  await forgetLeft({ ...parts, server: "one" }, [id]);
  expect(await noted(place)).toEqual([]);
  expect(warnings).toEqual([]);
});

test.each([true, false])("7. shared builders: %s", async (isShared) => {
  let opened = 0;
  const open = () => Promise.reject(new Error(`Opened ${(opened += 1)}.`));
  const builders = { ...disk({}), ...(isShared && { isShared }), open };
  await using place = await openTestBuilds("sqlite", { server: "one", builders });
  const { id: projectId } = await place.addProject("web");
  await leaveEnded(place, projectId);
  place.time.now += HOUR_MS + 1;
  const lease = { name: "builds.sweep", holder: "other", expires_at: place.time.now + 60_000 };
  await place.database.db.insertInto("leases").values(lease).execute();
  await place.builds.sweep();
  expect(opened).toBe(isShared ? 0 : 1);
  await place.database.db.deleteFrom("leases").execute();
  await place.builds.sweep();
  expect(opened).toBe(isShared ? 1 : 2);
});
