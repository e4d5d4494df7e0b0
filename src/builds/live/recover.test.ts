/**
 * 1. A build of a killed server ends as lost even when its builder does not open, as when a machine's places are all taken: callers
 *    that wait for its end do not wait forever.
 */
import { afterEach, expect, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { RECOVER_MS } from "../contract/limits.ts";
import type { TurnOptions } from "../machine/machine.ts";
import { createPlaces } from "../queue/places.ts";
import { createChanges } from "../contract/changes.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { claimLost, LOST } from "./recover.ts";
import { disk, platform } from "../testing/disk.ts";

afterEach(() => void vi.restoreAllMocks());

test.each(testDatabaseKinds)("1. no builder comes: %s", async (kind) => {
  await using place = await openTestBuilds(kind, { server: "one" });
  const { accounts, builds, caller, database, time } = place;
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  // Held by another server, because this test's server would end it meanwhile.
  const [server, clock] = ["two", () => time.now];
  await database.db
    .insertInto("build_servers")
    .values({ holder: "two.killed", server, address: "", expires_at: time.now + 20_000 })
    .execute();
  await database.db
    .insertInto("build_refs")
    .values({ build_id: buildId, project_id: projectId, platform, ref: "ref-1" })
    .execute();
  const left = { holder: "two.killed", state: "running", started_at: time.now } as const;
  await database.db.updateTable("builds").set(left).where("id", "=", buildId).execute();

  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over.signal);
  const asked = Promise.withResolvers<void>();
  const open = (_want: object, options?: TurnOptions) => {
    const { promise, reject } = Promise.withResolvers<never>();
    options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
    asked.resolve();
    return promise;
  };
  const recovering = await claimLost({
    accounts,
    database,
    clock,
    server,
    holder: "two.killed",
    changes: createChanges(),
    places: createPlaces({ database, clock, perBuilder: 1 }),
    builders: { ...disk({}), open },
    log: { debug() {}, info() {}, warn() {}, error() {}, writes: () => true, flush() {} },
    registryHost: "localhost:3000",
    timeoutMs: 1,
  } as never);
  recovering.begin();
  await asked.promise;
  expect(timeout).toHaveBeenCalledWith(RECOVER_MS);
  expect(recovering.has(buildId)).toBe(true);
  over.abort(new Error("It takes too long."));
  await recovering.done;
  expect(await builds.get(caller, buildId)).toMatchObject({ state: "canceled", error: LOST });
});
