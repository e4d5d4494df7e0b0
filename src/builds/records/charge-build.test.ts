/**
 * Charges of an organization:
 *
 * 1. Each build once, and the time that it ran, however it ends: reported, canceled, abandoned, with its server gone, with its
 *    project deleted; and corrections by a server that comes back. Charges stay when records are removed.
 * 2. A running build is charged until now. If the clock is set meanwhile, it is charged no more than the time that a build may run,
 *    and no less than zero.
 * 3. An organization has a limit of unfinished builds, in however many projects; another organization has its own.
 */
import { describe, expect, test } from "vitest";
import { createProject, deleteProject, getUsage } from "#accounts/index.ts";
import { makePerson } from "#accounts/testing/accounts.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { MAX_OPEN_BUILDS, MAX_OPEN_BUILDS_OF_ORGANIZATION } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { correctBuild } from "./correct-build.ts";
import { createChanges } from "../contract/changes.ts";
import { findRow } from "./read-build.ts";

const platform = "linux/amd64";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Rows in one statement. */
const AT_ONCE = 100;
const input = (projectId: string) => ({
  projectId,
  save: false,
  saveTags: [],
  labels: {},
  branch: "",
  commitSha: "",
});

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2. every end", { timeout: 60_000 }, async () => {
    await using place = await openTestBuilds(kind);
    const { accounts, builds, caller, database, time } = place;
    const { id: projectId } = await place.addProject("web");
    const { id: goneId } = await place.addProject("gone");
    const { organizationId } = caller.actor as { organizationId: string };
    const charged = async () => {
      const { builds: count, buildMs } = await getUsage(accounts, caller, { from: 0, to: time.now });
      return { count, minutes: buildMs / MINUTE_MS };
    };
    const begin = async (of = projectId) => {
      const { id: buildId } = await builds.create(caller, input(of));
      await builds.getEndpoint(caller, { buildId, platform });
      return buildId;
    };
    const reported = await begin();
    time.now += MINUTE_MS;
    expect(await charged()).toEqual({ count: 0, minutes: 0 });
    expect(await builds.runningMs({ organizationId, projectId })).toBe(MINUTE_MS);
    expect(await builds.runningMs({ organizationId, projectId: goneId })).toBe(0);
    expect(await builds.runningMs({ organizationId, projectId: "" })).toBe(MINUTE_MS);
    const end = { buildId: reported, succeeded: true, error: "", digest: "" };
    await Promise.allSettled([1, 2, 3].map(() => builds.finish(caller, end)));
    expect(await builds.runningMs({ organizationId, projectId })).toBe(0);
    expect(await charged()).toEqual({ count: 1, minutes: 1 });

    const canceled = await begin();
    time.now += 2 * MINUTE_MS;
    const both = [builds.cancel(caller, canceled), builds.finish(caller, { ...end, buildId: canceled })];
    await Promise.allSettled(both);
    expect(await charged()).toEqual({ count: 2, minutes: 3 });

    await builds.create(caller, input(projectId));
    time.now += 11 * MINUTE_MS;
    await builds.look();
    // It never ran.
    expect(await charged()).toEqual({ count: 3, minutes: 3 });

    const { id: lost } = await builds.create(caller, input(projectId));
    const left = { holder: "gone", state: "running", started_at: time.now } as const;
    await database.db.updateTable("builds").set(left).where("id", "=", lost).execute();
    time.now += 4 * MINUTE_MS;
    await builds.look();
    expect(await charged()).toEqual({ count: 4, minutes: 7 });
    // Its server is back, and knows that it had already ended.
    const row = await findRow(database, lost);
    const parts = { accounts, database, changes: createChanges(), clock: () => time.now, timeoutMs: HOUR_MS };
    const ending = { state: "succeeded", finishedAt: time.now - 3 * MINUTE_MS } as const;
    for (let at = 0; at < 2; at += 1) await correctBuild(parts, row!, ending);
    expect(await charged()).toEqual({ count: 4, minutes: 4 });

    await begin(goneId);
    time.now += 8 * MINUTE_MS;
    await deleteProject(accounts, caller, { projectId: goneId });
    await builds.look();
    await builds.sweep();
    expect(await charged()).toEqual({ count: 5, minutes: 12 });
    time.now += 40 * 24 * 60 * MINUTE_MS;
    await builds.sweep();
    expect(await database.db.selectFrom("builds").select("id").execute()).toEqual([]);
    expect(await charged()).toEqual({ count: 5, minutes: 12 });
    const own = await getUsage(accounts, caller, { from: 0, to: time.now, projectId });
    expect([own.builds, own.buildMs / MINUTE_MS]).toEqual([4, 4]);
  });

  test("2. a clock that is set", async () => {
    await using place = await openTestBuilds(kind, { timeoutMs: HOUR_MS });
    const { accounts, builds, caller, time } = place;
    const { id: projectId } = await place.addProject("web");
    const { organizationId } = caller.actor as { organizationId: string };
    const right = time.now;
    for (const [shift, minutes] of [
      [10 * 365 * 24 * HOUR_MS, 60],
      [-HOUR_MS, 0],
    ] as const) {
      time.now = right;
      const { id: buildId } = await builds.create(caller, input(projectId));
      await builds.getEndpoint(caller, { buildId, platform });
      time.now += shift;
      const running = await builds.runningMs({ organizationId, projectId });
      await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
      const day = { from: time.now, to: time.now };
      const { buildMs } = await getUsage(accounts, caller, day);
      expect([running / MINUTE_MS, buildMs / MINUTE_MS]).toEqual([minutes, minutes]);
    }
  });

  test("3. builds that have not ended", { timeout: 60_000 }, async () => {
    await using place = await openTestBuilds(kind);
    const { accounts, builds, caller, database } = place;
    const projects = Math.ceil(MAX_OPEN_BUILDS_OF_ORGANIZATION / MAX_OPEN_BUILDS) + 1;
    const ids: string[] = [];
    for (let at = 0; at < projects; at += 1) ids.push((await place.addProject(`p${at}`)).id);
    const first = await builds.create(caller, input(ids[0]!));
    const row = await database.db
      .selectFrom("builds")
      .selectAll()
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    for (const [at, project_id] of ids.slice(0, -1).entries()) {
      // The first one already exists.
      const numbers = Array.from({ length: MAX_OPEN_BUILDS - (at === 0 ? 1 : 0) }, (_, number) => number);
      for (let from = 0; from < numbers.length; from += AT_ONCE) {
        const rows = numbers.slice(from, from + AT_ONCE);
        const values = rows.map((number) => ({ ...row, id: `bld_${at}_${number}`, project_id }));
        await database.db.insertInto("builds").values(values).execute();
      }
    }
    const refused = { code: "resource_exhausted", message: expect.stringContaining("organization") };
    await expect(builds.create(caller, input(ids.at(-1)!))).rejects.toMatchObject(refused);
    await expect(builds.create(caller, input(ids[0]!))).rejects.toMatchObject({
      message: expect.stringContaining("this project already has"),
    });
    const { caller: other } = await makePerson({ accounts }, "bea", { organization: "other" });
    const { id: theirs } = await createProject(accounts, other, { name: "web" });
    expect((await builds.create(other, input(theirs))).state).toBe("queued");
    await builds.cancel(caller, first.id);
    expect((await builds.create(caller, input(ids.at(-1)!))).state).toBe("queued");
  });
});
