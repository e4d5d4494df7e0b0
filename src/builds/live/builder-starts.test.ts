/**
 * 1. A client that asks for one place again and again, and leaves each time, leaves a bounded number of calls: the oldest calls end
 *    with a request to ask again, and the newest get the place.
 */
import { expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { MAX_ASKS_OF_PLACE } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";

const platform = "linux/amd64";

test.each(testDatabaseKinds)("1. asked again and again: %s", async (kind) => {
  await using place = await openTestBuilds(kind, { concurrency: 1 });
  const { builds, caller } = place;
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const [first, second] = [await builds.create(caller, input), await builds.create(caller, input)];
  await builds.getEndpoint(caller, { buildId: first.id, platform });
  const ASKS = 20;
  let [refused, answered] = [0, 0];
  const all = Array.from({ length: ASKS }, () =>
    builds.getEndpoint(caller, { buildId: second.id, platform }).then(
      () => (answered += 1),
      (error: unknown) => {
        expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("ask again") });
        refused += 1;
      },
    ),
  );
  await vi.waitFor(() => expect(refused).toBe(ASKS - MAX_ASKS_OF_PLACE), { timeout: 10_000 });
  await builds.finish(caller, { buildId: first.id, succeeded: true, error: "", digest: "" });
  await Promise.all(all);
  expect(answered).toBe(MAX_ASKS_OF_PLACE);
});
