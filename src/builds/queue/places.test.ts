/**
 * Places in the records:
 *
 * 1. 60 builds that ask two servers at the same time get their places one by one, never more at a time than there are, each once,
 *    and no build is refused because others ask.
 * 2. A build that has one of its builders does not wait for another build that has a place and waits for its builder, on any
 *    server. A place that was granted a moment ago keeps others waiting.
 */
import { expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { STALLED_MS } from "../contract/limits.ts";
import { disk } from "../testing/disk.ts";
import type { Builders } from "../machine/machine.ts";
import { openTestBuilds } from "../testing/builds.ts";

const BUILDS = 60;
const PLACES = 4;
const [platform, arm] = ["linux/amd64", "linux/arm64"] as const;

test.each(testDatabaseKinds)("1. one after the other: %s", { timeout: 120_000 }, async (kind) => {
  await using place = await openTestBuilds(kind, { concurrency: PLACES });
  const { id: projectId } = await place.addProject("web");
  // A SQLite file has one server at a time.
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

test.each(testDatabaseKinds)("2. a builder that does not come: %s", async (kind) => {
  const asked = Promise.withResolvers<void>();
  const opened: string[] = [];
  let stalled = "";
  const open: Builders["open"] = (want, options) => {
    opened.push(`${options?.buildId} ${want.platform}`);
    if (options?.buildId !== stalled) return disk({}).open(want);
    asked.resolve();
    const { promise, reject } = Promise.withResolvers<never>();
    options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
    return promise;
  };
  const builders = { ...disk({}), open };
  await using place = await openTestBuilds(kind, { concurrency: 1, builders });
  const { builds, caller, time } = place;
  const { id: projectId } = await place.addProject("web");
  const other = kind === "sqlite" ? null : await place.openReplica();
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  ({ id: stalled } = await builds.create(caller, input));
  await builds.getEndpoint(caller, { buildId, platform });
  const never = (other?.builds ?? builds).getEndpoint(caller, { buildId: stalled, platform: arm });
  const refused = expect(never).rejects.toMatchObject({ code: expect.any(String) });
  await asked.promise;
  const answer = builds.getEndpoint(caller, { buildId, platform: arm });
  await place.untilInLine(buildId, arm);
  time.now += STALLED_MS - 1;
  await builds.look();
  expect(opened).not.toContain(`${buildId} ${arm}`);
  time.now += 1;
  await builds.look();
  await answer;
  expect(opened).toContain(`${buildId} ${arm}`);
  await builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
  await builds.cancel(caller, stalled);
  await other?.builds.look();
  await refused;
  await other?.close();
});
