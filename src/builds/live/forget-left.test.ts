/**
 * Unmasked logs that BuildKit keeps:
 * 1. After a kill, the next start removes those of all builds of this server that ran or had ended meanwhile, of each solve and
 *    platform; those of another server's builds stay with it.
 * 2. A builder that does not open leaves the note, and an hour after the build's end it is tried again.
 * 3. A build without secrets leaves no note once it has ended.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, disk, platform } from "../testing/disk.ts";
import { startKeptRecords } from "../testing/kept-records.ts";

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
