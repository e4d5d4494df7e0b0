/**
 * 1. While the clock advances normally, its time is used.
 * 2. A clock that jumps ahead is followed a day at a time, or 24 times as fast as time passes; one that jumps back, immediately.
 *    Both are logged.
 * 3. The last time seen survives a restart and is shared by servers.
 * 4. A lease that a wrong clock has taken for years is taken over; a lease from a clock that is off by seconds is not.
 */
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";
import { leaseMigrations, type LeaseTables, takeLease } from "./lease.ts";
import { createPace, createSweepClock } from "./sweep-clock.ts";
import { openTestDatabase, testDatabaseKinds } from "../testing/database.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 4, 1);
const YEARS = 3_650 * DAY;

test("1. and 2. pace", () => {
  let passed = 0;
  const pace = createPace(() => passed);
  let seen: number | null = null;
  const at = (now: number, afterMs = HOUR) => {
    passed += afterMs;
    return (seen = pace(now, seen));
  };
  expect(at(START)).toBe(START);
  expect(at(START + HOUR)).toBe(START + HOUR);
  expect(at(START + 3 * HOUR, 2 * HOUR)).toBe(START + 3 * HOUR);
  expect(at(START + YEARS)).toBe(START + 3 * HOUR + DAY);
  expect(at(START + YEARS, 60_000)).toBe(START + 3 * HOUR + DAY + 24 * 60_000);
  expect(at(START + 5 * HOUR)).toBe(START + 5 * HOUR);
  expect(at(START + 4 * HOUR)).toBe(START + 4 * HOUR);
});

test.each(testDatabaseKinds)("2. to 4. %s", async (kind) => {
  const { at, remove } = await openTestDatabase(kind);
  const database = await openDatabase<LeaseTables>({ at, migrations: leaseMigrations });
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  const { db } = database;
  let now = START;
  let passed = 0;
  const said: string[] = [];
  const open = () =>
    createSweepClock(db, {
      name: "x.sweep",
      clock: () => now,
      log: { warn: (message) => void said.push(message) },
      elapsed: () => passed,
    });
  const first = open();
  now += YEARS;
  expect((await first())()).toBe(START + DAY);
  now = START;
  expect((await first())()).toBe(START);
  now += YEARS;
  passed += HOUR;
  const clock = await first();
  expect(clock()).toBe(START + DAY);
  now += 5;
  expect(clock()).toBe(START + DAY + 5);
  expect(said).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("3649 days ago") as unknown));
  expect((await open()())()).toBe(START + 2 * DAY);
  now = START + HOUR;
  expect((await open()())()).toBe(now);
  expect(said).toHaveLength(3);

  const take = (holder: string, at: number) =>
    takeLease(db, { name: "x.sweep", holder, now: at, lastsMs: HOUR, isRepeated: true });
  expect(await take("one", now + YEARS)).toBe(true);
  expect(await take("two", now)).toBe(true);
  expect(await take("one", now - 60_000)).toBe(false);
});
