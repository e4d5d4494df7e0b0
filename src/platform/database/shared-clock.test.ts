/**
 * 1. Servers of one PostgreSQL agree on the time, whatever their own clocks say and however those are set while they run. Between
 *    checks, time passes by the monotonic clock.
 * 2. If the monotonic clock has stood still, as on a sleeping machine, or has run ahead, the next check corrects the time. A slow
 *    check moves it no further than its own duration.
 * 3. A large error of a server's own clock is reported once.
 * 4. With a file, the time is the machine's.
 */
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { openSharedClock } from "./shared-clock.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";

const HOUR_MS = 3_600_000;
/** Allows for a busy machine. */
const NEAR_MS = 60_000;

async function openPlace(kind: "sqlite" | "postgres") {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<object>({ at: place.at, migrations: [] });
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place.remove();
    },
  };
}

test.runIf(testDatabaseKinds.includes("postgres"))("1. to 3. PostgreSQL's", async () => {
  await using place = await openPlace("postgres");
  const said: string[] = [];
  const log = { warn: (line: string) => void said.push(line) };
  const machine = { shift: 10 * 365 * 24 * HOUR_MS, elapsed: 0 };
  const own = () => Date.now() + machine.shift;
  const elapsed = () => performance.now() + machine.elapsed;
  const clock = await openSharedClock({ ...place, log, own, elapsed });
  const isNear = (time: number) => Math.abs(clock.now() - time) < NEAR_MS;
  expect(isNear(Date.now())).toBe(true);
  for (const shift of [HOUR_MS, HOUR_MS + 1, -HOUR_MS, 0]) {
    machine.shift = shift;
    expect(isNear(Date.now())).toBe(true);
    await clock.look();
    expect(isNear(Date.now())).toBe(true);
  }
  expect(said.map((line) => /clock is (.+?) PostgreSQL/.exec(line)?.[1])).toEqual([
    "5256000 minutes ahead of",
    "60 minutes ahead of",
    "60 minutes behind",
  ]);
  for (const slept of [-HOUR_MS, 2 * HOUR_MS]) {
    machine.elapsed += slept;
    expect(isNear(Date.now() + slept)).toBe(true);
    await clock.look();
    expect(isNear(Date.now())).toBe(true);
  }
  await clock.stop();
});

test("4. a file's", async () => {
  await using place = await openPlace("sqlite");
  const clock = await openSharedClock({ ...place, log: { warn: expect.unreachable }, own: () => 7 });
  await clock.look();
  expect(clock.now()).toBe(7);
  await clock.stop();
});
