/**
 * 1. In any minute of any pattern a key gets at most its burst plus a minute's refill; a client that waits as
 *    told is served.
 * 2. Keys do not share. A flood of keys takes no more memory, does not exclude new keys, and does not erase the memory of recent
 *    use.
 * 3. A clock that is set back gives nothing away and blocks no one for longer than a burst takes to refill.
 * 4. Asking how long to wait takes nothing, and gives the same result as taking.
 * 5. Past use is paid off before anything else is granted, and is not forgotten before that.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

test("1. bounded, and honest about when", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 300 }),
      (perMinute, burst, steps) => {
        let now = 0;
        const limit = createRateLimit({ perMinute, burst, clock: () => now });
        const taken: number[] = [];
        for (const step of steps) {
          now += step;
          if (limit.take("one") === 0) taken.push(now);
        }
        for (const start of taken) {
          const inMinute = taken.filter((at) => at >= start && at < start + 60_000).length;
          expect(inMinute).toBeLessThanOrEqual(burst + perMinute);
        }
        while (limit.take("one") === 0);
        now += limit.take("one") * 1000;
        expect(limit.take("one")).toBe(0);
      },
    ),
  );
});

test("2. keys", () => {
  const limit = createRateLimit({ perMinute: 2, clock: () => 0, maxKeys: 3 });
  expect([limit.take("a"), limit.take("a"), limit.take("b")]).toEqual([0, 0, 0]);
  expect(limit.take("a")).toBeGreaterThan(0);
  const flood = Array.from({ length: 1000 }, (_, at) => [limit.take(`flood ${at}`), limit.take("a")]);
  expect(flood.every(([newcomer]) => newcomer === 0)).toBe(true);
  expect(flood.every(([, former]) => former! > 0)).toBe(true);
  expect(limit.size).toBe(3);
});

test("3. a clock set back", () => {
  let now = 1_000_000;
  const limit = createRateLimit({ perMinute: 60, burst: 2, clock: () => now });
  limit.take("a", 2);
  now = 0;
  expect(limit.take("a")).toBeGreaterThan(0);
  now = 2000;
  expect(limit.take("a", 2)).toBe(0);
  now = 0;
  expect(limit.wait("a")).toBe(1);
  now = 1000;
  expect(limit.wait("a")).toBe(0);
});

test("4. waiting", () => {
  const limit = createRateLimit({ perMinute: 2, clock: () => 0 });
  for (let at = 0; at < 100; at++) expect(limit.wait("a")).toBe(0);
  expect([limit.take("a"), limit.wait("a"), limit.take("a")]).toEqual([0, 0, 0]);
  expect([limit.wait("a"), limit.wait("b")]).toEqual([limit.take("a"), 0]);
  expect(limit.size).toBe(1);
});

test("5. used already", () => {
  let now = 0;
  const limit = createRateLimit({ perMinute: 60, burst: 2, clock: () => now });
  limit.spend("a", 12);
  expect([limit.wait("a"), limit.wait("a", 2), limit.take("a"), limit.take("b")]).toEqual([11, 12, 11, 0]);
  now = 10_000;
  expect([limit.wait("a"), limit.size]).toEqual([1, 2]);
  now = 11_000;
  expect([limit.take("a"), limit.take("a")]).toEqual([0, 1]);
});
