/**
 * On several servers:
 *
 * 1. A build for two platforms stays on the server that opens one of them: the other platform is refused there, and not opened
 *    elsewhere.
 * 2. If no platform gets a place, all of them go to the same server, even when one fails later than the others. There, the second
 *    platform waits as the first does. However many there are, in whatever order they are requested and fail: none is refused while
 *    another server may open it.
 * 3. A build that is canceled while its builder is opened goes nowhere, and neither does its project.
 * 4. A build that is canceled through another server while it is queued stops waiting for a builder.
 * 5. A build that is handed over while its builder is opened begins only there, and the builder is released: its result does not
 *    affect the build.
 */
import { describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { Builders } from "../machine/machine.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, disk, platform } from "../testing/disk.ts";

const third = "plan9/mips";
const LOOKS = 5;
const input = { save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };

/** Two servers, and a build. The first server is called, and opens builders as the test says. */
async function openTwo(open: Builders["open"], openElsewhere: Builders["open"] = disk({}).open) {
  const warned: string[] = [];
  const log = { ...consoleLog, info() {}, warn: (line: string) => void warned.push(line) };
  const place = await openTestBuilds("postgres", { server: "one", builders: { ...disk({}), open }, log });
  const elsewhere: string[] = [];
  const other = await place.openReplica({
    server: "two",
    builders: {
      ...disk({}),
      open(want, options) {
        elsewhere.push(want.platform);
        return openElsewhere(want, options);
      },
    },
  });
  const { builds, caller, database } = place;
  const { id: projectId } = await place.addProject("web");
  const { id: buildId } = await builds.create(caller, { ...input, projectId });
  return {
    builds,
    other,
    caller,
    buildId,
    elsewhere,
    database,
    warned,
    ask: (of: string) => builds.getEndpoint(caller, { buildId, platform: of }),
    readServer: async () => {
      const { holder } = await database.db.selectFrom("builds").select("holder").executeTakeFirstOrThrow();
      return holder?.split(".")[0];
    },
    readHome: async () =>
      (await database.db.selectFrom("build_homes").select("server").executeTakeFirstOrThrow()).server,
    async [Symbol.asyncDispose]() {
      await other.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

describe.runIf(testDatabaseKinds.includes("postgres"))("several servers", () => {
  test("1. one place for two platforms", async () => {
    const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using two = await openTwo(async (want, options) => {
      if (want.platform === arm) {
        expect(options?.mayWait).toBe(true);
        opened.resolve();
        throw new Error("all places are taken");
      }
      asked.resolve();
      await opened.promise;
      return disk({}).open(want);
    });
    const first = two.ask(platform);
    await asked.promise;
    await expect(two.ask(arm)).rejects.toMatchObject({
      code: "unavailable",
      message: "all places are taken",
    });
    await first;
    expect(await two.readServer()).toBe("one");
    expect(two.elsewhere).toEqual([]);
  });

  test("2. no place", async () => {
    await using two = await openTwo(() => Promise.reject(new Error("all places are taken")));
    await Promise.all([two.ask(platform), two.ask(arm)]);
    expect(await two.readServer()).toBe("two");
    expect(two.elsewhere.toSorted()).toEqual([platform, arm]);
  });

  test("2. one fails later", async () => {
    const [failed, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using two = await openTwo(async (want) => {
      if (want.platform === arm) {
        asked.resolve();
        await failed.promise;
      } else {
        await asked.promise;
        setImmediate(failed.resolve);
      }
      throw new Error("the builder did not start");
    });
    await Promise.all([two.ask(platform), two.ask(arm)]);
    expect(await two.readServer()).toBe("two");
    expect(two.elsewhere.toSorted()).toEqual([platform, arm]);
  });

  test("2. three, one of them asked for later", async () => {
    const [asked, failed, last, ended] = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    await using two = await openTwo(async (want) => {
      if (want.platform === platform) await asked!.promise;
      else if (want.platform === arm) {
        asked!.resolve();
        await failed!.promise;
      } else {
        last!.resolve();
        await ended!.promise;
      }
      throw new Error("the builder did not start");
    });
    const first = [two.ask(platform), two.ask(arm)];
    await asked!.promise;
    const all = Promise.all([...first, two.ask(third)]);
    await last!.promise;
    failed!.resolve();
    // Time for a report that would arrive now.
    for (let at = 0; at < LOOKS; at += 1) await two.builds.look();
    ended!.resolve();
    await all;
    expect(await two.readServer()).toBe("two");
    expect(two.elsewhere.toSorted()).toEqual([platform, arm, third].toSorted());
  });

  test("2. no server has a place", async () => {
    const [failed, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const taken = () => Promise.reject(new Error("all places are taken"));
    await using two = await openTwo(taken, async (want) => {
      if (want.platform === third) {
        last.resolve();
        await failed.promise;
      } else await last.promise;
      return taken();
    });
    const first = Promise.allSettled([two.ask(platform)]);
    // It only reaches the other server.
    while ((await two.readServer()) !== "two") await two.builds.look();
    const second = Promise.allSettled([two.ask(third)]);
    await last.promise;
    for (let at = 0; at < LOOKS; at += 1) await two.builds.look();
    failed.resolve();
    const answers = await Promise.all([first, second]);
    expect(answers.flat().map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await two.readServer()).toBe("two");
  });

  test("2. both wait elsewhere", async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const mayWait: unknown[] = [];
    await using two = await openTwo(
      () => Promise.reject(new Error("all places are taken")),
      async (want, options) => {
        mayWait.push(options?.mayWait);
        if (want.platform === platform) {
          first.resolve();
          await second.promise;
        } else second.resolve();
        return disk({}).open(want);
      },
    );
    const amd = two.ask(platform);
    await first.promise;
    await Promise.all([amd, two.ask(arm)]);
    expect(await two.readServer()).toBe("two");
    expect(mayWait).toEqual([true, true]);
  });

  test("3. canceled", async () => {
    const asked = Promise.withResolvers<void>();
    await using two = await openTwo(async (_want, options) => {
      asked.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      return promise;
    });
    const answer = expect(two.ask(platform)).rejects.toMatchObject({ code: expect.any(String) });
    await asked.promise;
    await two.builds.cancel(two.caller, two.buildId);
    await answer;
    expect([await two.readServer(), await two.readHome()]).toEqual(["one", "one"]);
    expect(two.elsewhere).toEqual([]);
  });

  test("4. canceled elsewhere", async () => {
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using two = await openTwo((_want, options) => {
      asked.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      options?.signal?.addEventListener("abort", () => {
        left.resolve();
        reject(options.signal?.reason);
      });
      return promise;
    });
    const answer = expect(two.ask(platform)).rejects.toMatchObject({ code: expect.any(String) });
    await asked.promise;
    await two.other.builds.cancel(two.caller, two.buildId);
    await two.builds.look();
    await left.promise;
    await answer;
    expect(await two.builds.get(two.caller, two.buildId)).toMatchObject({ state: "canceled" });
  });

  test("5. handed over", async () => {
    const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const release = vi.fn();
    const ended = Promise.withResolvers<string>();
    await using two = await openTwo(async (want) => {
      asked.resolve();
      await opened.promise;
      return { ...(await disk({}).open(want)), release, ended: ended.promise };
    });
    const answer = two.ask(platform);
    await asked.promise;
    const { db } = two.database;
    const { holder } = await db
      .selectFrom("build_servers")
      .select("holder")
      .where("server", "=", "two")
      .executeTakeFirstOrThrow();
    await db.updateTable("builds").set({ holder }).execute();
    opened.resolve();
    await answer;
    expect(release).toHaveBeenCalledOnce();
    expect([await two.readServer(), ...two.elsewhere]).toEqual(["two", platform]);
    expect(await two.builds.get(two.caller, two.buildId)).toMatchObject({ state: "running" });
    ended.resolve("stopped: no one has used it");
    await new Promise((resolve) => setImmediate(resolve));
    expect(two.warned).toEqual([]);
  });
});
