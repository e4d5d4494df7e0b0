/**
 * 1. A layer cache that exceeds its project's limit when a build has ended is noted, for each platform separately, and one that
 *    fits is not; the project's next explanations read the note, between the builds that they compare, and no other project's do.
 * 2. The note is removed with the record of its build.
 * 3. Builders that do not report the size of their layer caches do not change how a build ends.
 */
import { describe, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { readCacheHistory } from "../records/resets.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { arm, type Cache, disk, platform } from "../testing/disk.ts";

const LIMIT_BYTES = 100;
const MONTHS_MS = 90 * 24 * 60 * 60_000;

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(builders = disk({})) {
    const place = await openTestBuilds(kind, { builders });
    const { builds, caller, database } = place;
    const build = async (projectId: string) => {
      const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
      const { id: buildId } = await builds.create(caller, input);
      await builds.getEndpoint(caller, { buildId, platform });
      await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
      return buildId;
    };
    return {
      place,
      build,
      async addSmall(name: string) {
        const { id } = await place.addProject(name);
        const { db } = database;
        await db
          .updateTable("projects")
          .set({ cache_size_bytes: LIMIT_BYTES })
          .where("id", "=", id)
          .execute();
        return id;
      },
      rows: () => database.db.selectFrom("build_overflows").selectAll().execute(),
      overflowsOf: async (projectId: string, since: number, until: number) =>
        (await readCacheHistory(database, projectId, { since, until })).overflows,
    };
  }

  test("1. and 2. noted", async () => {
    const caches = new Map<string, Cache>();
    const { place, build, addSmall, rows, overflowsOf } = await open(disk({ caches }));
    await using _ = place;
    const [web, api] = [await addSmall("web"), await addSmall("api")];
    caches.set(web, { [platform]: LIMIT_BYTES + 1, [arm]: LIMIT_BYTES }).set(api, { [arm]: 1 });
    const begun = place.time.now;
    await build(api);
    const buildId = await build(web);
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), { timeout: 10_000 });
    expect(await rows()).toEqual([{ build_id: buildId, platform, noted_at: begun }]);
    expect(await overflowsOf(web, begun, begun + 1)).toEqual([{ platform, at: begun }]);
    expect(await overflowsOf(web, begun + 1, begun + 2)).toEqual([]);
    expect(await overflowsOf(web, begun - 1, begun - 1)).toEqual([]);
    expect(await overflowsOf(api, begun, begun + 1)).toEqual([]);
    place.time.now += MONTHS_MS;
    await place.builds.sweep();
    expect(await rows()).toEqual([]);
  });

  test("3. not known", async () => {
    const asked: string[] = [];
    const usage = async (projectId: string) => {
      asked.push(projectId);
      throw new Error("The builder does not answer.");
    };
    const { place, build, addSmall, rows } = await open({ ...disk({}), usage });
    await using _ = place;
    const web = await addSmall("web");
    const buildId = await build(web);
    expect((await place.builds.get(place.caller, buildId)).state).toBe("succeeded");
    await vi.waitFor(() => expect(asked).toEqual([web]), { timeout: 10_000 });
    expect(await rows()).toEqual([]);
  });
});
