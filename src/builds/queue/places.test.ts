/**
 * Places in the records: 60 builds that ask at two servers at once get their places one after the other, never more at a time than
 * there are, each once, and nobody is refused for the others' asking.
 */
import { expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/database/test-database.ts";
import { openTestBuilds } from "../test-builds.ts";

const BUILDS = 60;
const PLACES = 4;
const platform = "linux/amd64";

test.each(testDatabaseKinds)("%s", { timeout: 120_000 }, async (kind) => {
  await using place = await openTestBuilds(kind, { concurrency: PLACES });
  const { id: projectId } = await place.addProject("web");
  // A file has one server at a time.
  const other = kind === "sqlite" ? null : await place.openReplica();
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const ids: string[] = [];
  for (let at = 0; at < BUILDS; at += 1) ids.push((await place.builds.create(place.caller, input)).id);
  const ended: string[] = [];
  let most = 0;
  await Promise.all(
    ids.map(async (buildId, at) => {
      const { builds, caller } = (at % 2 === 0 ? other : null) ?? place;
      await builds.getEndpoint(caller, { buildId, platform });
      const { running } = await builds.counts();
      most = Math.max(most, running);
      await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
      ended.push(buildId);
    }),
  );
  expect(ended.toSorted()).toEqual(ids.toSorted());
  expect(most).toBeLessThanOrEqual(PLACES);
  expect(await place.database.db.selectFrom("build_places").selectAll().execute()).toEqual([]);
  await other?.close();
});
