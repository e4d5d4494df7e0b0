/**
 * The clock of a running server with SQLite is set by an hour or ten years, back and forth:
 *
 * 1. A build that waits for its client is not canceled, and a build that waits for its place gets it. A client that is gone is
 *    passed over at the right time, and its build is canceled at the right time.
 * 2. A running build is charged the time that it ran.
 * 3. All times move or none: the next check makes up for one that fails halfway.
 */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { getUsage } from "#accounts/index.ts";
import { ABANDONED_MS } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { platform } from "../testing/disk.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;

test.each([HOUR_MS, -HOUR_MS, YEARS_MS])("set by %d ms", async (setBy) => {
  const machine = { elapsed: 0 };
  await using place = await openTestBuilds("sqlite", { concurrency: 1, elapsed: () => machine.elapsed });
  const { accounts, builds, caller, time } = place;
  const pass = (ms: number) => {
    time.now += ms;
    machine.elapsed += ms;
  };
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const create = async () => (await builds.create(caller, input)).id;
  const [running, gone, next] = [await create(), await create(), await create()];
  const end = (buildId: string) => builds.finish(caller, { buildId, succeeded: true, error: "", digest: "" });
  await builds.getEndpoint(caller, { buildId: running, platform });
  pass(MINUTE_MS);
  const answer = builds.getEndpoint(caller, { buildId: next, platform });
  await place.untilInLine(next, platform);
  await builds.look();
  time.now += setBy;
  pass(2_000);
  await builds.look();
  for (const buildId of [gone, next])
    expect(await builds.get(caller, buildId)).toMatchObject({ state: "queued" });
  const day = { from: time.now, to: time.now };
  pass(MINUTE_MS / 2);
  await end(running);
  await answer;
  expect((await getUsage(accounts, caller, day)).buildMs).toBe(1.5 * MINUTE_MS + 2_000);
  await end(next);
  expect(await builds.get(caller, gone)).toMatchObject({ state: "queued" });
  pass(ABANDONED_MS - 1.5 * MINUTE_MS);
  await builds.look();
  expect(await builds.get(caller, gone)).toMatchObject({ state: "canceled" });
});

test("3. fails on its way", async () => {
  const machine = { elapsed: 0 };
  await using place = await openTestBuilds("sqlite", { concurrency: 1, elapsed: () => machine.elapsed });
  const { builds, caller, database, time } = place;
  const { db } = database;
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  await builds.getEndpoint(caller, { buildId, platform });
  const read = async () => {
    const { asked_at: asked } = await db
      .selectFrom("build_places")
      .select("asked_at")
      .executeTakeFirstOrThrow();
    const { started_at: started } = await db
      .selectFrom("builds")
      .select("started_at")
      .executeTakeFirstOrThrow();
    return [asked, started];
  };
  const before = await read();
  const pass = () => {
    time.now += MINUTE_MS;
    machine.elapsed += MINUTE_MS;
  };
  pass();
  await builds.look();
  time.now += HOUR_MS;
  pass();
  await sql`create trigger fails before update of started_at on builds begin select raise(abort, 'full'); end`.execute(
    db,
  );
  await expect(builds.look()).rejects.toThrow("full");
  expect(await read()).toEqual(before);
  await sql`drop trigger fails`.execute(db);
  await builds.look();
  expect(await read()).toEqual(before.map((at) => Number(at) + HOUR_MS));
});
