/**
 * 1. A layer cache of any platform that builders have is emptied separately; a platform that no machine builds for is refused.
 * 2. Every server reports the size of a project's layer caches, whichever is asked, and of this project only.
 * 3. A reset empties them on every server, and reports the total freed.
 * 4. A server that is gone empties its part when it is back; no caller waits for it.
 * 5. A living server that does not answer: its caches are not counted, and a reset reports that its part is not emptied yet.
 * 6. When a server cannot empty its part, the caller gets its error.
 * 7. Pods are shared by all servers: they are counted once, and emptied by the server whose builds use them.
 * 8. A database that is slow to return other servers' requests leaves connections for everything else.
 */
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { HOLDER_LEASE_MS, LOOK_FOR_PLACES_MS, RESET_ASK_MS } from "../contract/limits.ts";
import type { Builders } from "../machine/machine.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, type Cache, disk, platform } from "../testing/disk.ts";

/** A server's most connections to its database. */
const CONNECTIONS = 10;

afterEach(() => void vi.useRealTimers());

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. any platform", async () => {
    const resets: unknown[] = [];
    await using place = await openTestBuilds(kind, { builders: disk({ resets }) });
    const { builds, caller } = place;
    const { id: projectId } = await place.addProject("web");
    for (const each of ["linux/riscv64", "linux/arm/v7", "plan9/mips", ""])
      await builds.resetCache(caller, { projectId, platform: each });
    expect(resets).toEqual(["linux/riscv64", "linux/arm/v7", "plan9/mips", undefined]);
    const wrong = builds.resetCache(caller, { projectId, platform: "linux/amd65" });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_argument", field: "platform" });
  });
});

describe.runIf(testDatabaseKinds.includes("postgres"))("several servers", () => {
  test("2. and 3. usage and reset", async () => {
    const [caches, others] = [new Map<string, Cache>(), new Map<string, Cache>()];
    await using place = await openTestBuilds("postgres", { server: "one", builders: disk({ caches }) });
    const other = await place.openReplica({ server: "two", builders: disk({ caches: others }) });
    const [{ id: projectId }, { id: apiId }] = [await place.addProject("web"), await place.addProject("api")];
    caches.set(projectId, { [platform]: 10 });
    others.set(projectId, { [platform]: 5, [arm]: 7 });
    others.set(apiId, { [arm]: 3 });
    for (const { builds, caller } of [place, other])
      expect(await builds.cacheUsage(caller, projectId)).toMatchObject([
        { platform, bytes: 15, layers: 2 },
        { platform: arm, bytes: 7, layers: 1 },
      ]);
    expect(await place.builds.resetCache(place.caller, { projectId, platform })).toBe(15);
    expect(others.get(projectId)).toEqual({ [arm]: 7 });
    expect(await place.builds.resetCache(place.caller, { projectId, platform: "" })).toBe(7);
    expect(await place.builds.cacheUsage(place.caller, projectId)).toEqual([]);
    expect(await other.builds.cacheUsage(other.caller, apiId)).toMatchObject([{ platform: arm, bytes: 3 }]);
    expect(await readAsks(place)).toEqual([]);
    await other.close();
  });

  test("4. a server that has gone", async () => {
    const others = new Map<string, Cache>();
    const ownOther = { server: "two", builders: disk({ caches: others }) };
    await using place = await openTestBuilds("postgres", { server: "one" });
    const { id: projectId } = await place.addProject("web");
    const other = await place.openReplica(ownOther);
    const { id: buildId } = await other.builds.create(other.caller, inputOf(projectId));
    await other.builds.getEndpoint(other.caller, { buildId, platform });
    await other.builds.finish(other.caller, { buildId, succeeded: true, error: "", digest: "" });
    others.set(projectId, { [platform]: 5 });
    await other.close();
    // The next builds are here: the other server has an old cache.
    const { id: nextId } = await place.builds.create(place.caller, inputOf(projectId));
    await place.builds.getEndpoint(place.caller, { buildId: nextId, platform });
    for (const _ of [1, 2])
      expect(await place.builds.resetCache(place.caller, { projectId, platform: "" })).toBe(10);
    expect(await readAsks(place)).toMatchObject([{ server: "two" }]);
    expect(others.get(projectId)).toEqual({ [platform]: 5 });
    const back = await place.openReplica(ownOther);
    await back.builds.look();
    expect(others.get(projectId)).toEqual({});
    await back.close();
  });

  test("5. a server that does not answer", async () => {
    await using place = await openTestBuilds("postgres", { server: "one" });
    const { id: projectId } = await place.addProject("web");
    const { builds, caller, database, time } = place;
    const expires_at = time.now + HOLDER_LEASE_MS;
    const silent = { holder: "two.0123456789abcdef", server: "two", address: "", expires_at };
    await database.db.insertInto("build_servers").values(silent).execute();
    expect(await builds.cacheUsage(caller, projectId)).toMatchObject([{ platform, bytes: 10 }]);
    vi.useFakeTimers({ toFake: ["performance"] });
    let said: unknown;
    void builds.resetCache(caller, { projectId, platform: "" }).catch((error: unknown) => (said = error));
    // Whenever its wait begins.
    const wait = () => {
      vi.advanceTimersByTime(RESET_ASK_MS + 1);
      expect(said).toBeDefined();
    };
    await vi.waitFor(wait, { timeout: 10_000 });
    expect(said).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("has not emptied its part of the layer cache yet"),
    });
    // The request still exists.
    expect(await readAsks(place)).toMatchObject([{ server: "two", kind: "reset", project_id: projectId }]);
  });

  test("6. a server that cannot", async () => {
    await using place = await openTestBuilds("postgres", { server: "one" });
    const { id: projectId } = await place.addProject("web");
    const error = new Error("The disk of /data is read-only.");
    const other = await place.openReplica({ server: "two", builders: disk({ error }) });
    const reset = place.builds.resetCache(place.caller, { projectId, platform: "" });
    await expect(reset).rejects.toMatchObject({ code: "unavailable", message: error.message });
    await other.close();
  });

  test("7. pods", async () => {
    const caches = new Map<string, Cache>();
    const error = new Error("Another server uses it.");
    const [own, others] = [disk({ caches, error }), disk({ caches })];
    const shared = (builders: Builders) => ({ builders: { ...builders, isShared: true as const } });
    await using place = await openTestBuilds("postgres", { server: "one", ...shared(own) });
    const other = await place.openReplica({ server: "two", ...shared(others) });
    const { id: projectId } = await place.addProject("web");
    caches.set(projectId, { [platform]: 10 });
    expect(await place.builds.cacheUsage(place.caller, projectId)).toMatchObject([{ platform, bytes: 10 }]);
    expect(await place.builds.resetCache(place.caller, { projectId, platform: "" })).toBe(10);
    expect(caches.get(projectId)).toEqual({});
    await other.close();
  });

  test("8. a slow database", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    await using place = await openTestBuilds("postgres");
    const { builds, caller, database } = place;
    const { id: projectId } = await place.addProject("web");
    const [blocked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const blocking = database.db.transaction().execute(async (transaction) => {
      await sql`lock table build_cache_asks in access exclusive mode`.execute(transaction);
      blocked.resolve();
      await over.promise;
    });
    await blocked.promise;
    for (let look = 0; look <= CONNECTIONS; look += 1) await vi.advanceTimersByTimeAsync(LOOK_FOR_PLACES_MS);
    expect((await builds.create(caller, inputOf(projectId))).state).toBe("queued");
    over.resolve();
    await blocking;
  });
});

const inputOf = (projectId: string) => ({
  projectId,
  save: false,
  saveTags: [],
  labels: {},
  branch: "",
  commitSha: "",
});

const readAsks = ({ database }: Pick<Awaited<ReturnType<typeof openTestBuilds>>, "database">) =>
  database.db.selectFrom("build_cache_asks").selectAll().execute();
