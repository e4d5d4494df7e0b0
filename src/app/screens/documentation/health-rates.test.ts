/**
 * 1. The rate is the difference between two samples, per second. 2. A restart of the server starts over. 3. At most two
 *    minutes are kept. 4. A clock that was set back causes no infinite or negative rates.
 */
import { expect, test } from "vitest";
import { addSample, ratesOf, type Sample } from "./health-rates.ts";

const at = (seconds: number, total: number, startedAt = 1): Sample => ({
  at: seconds * 1000,
  total,
  startedAt,
});

test("1. requests per second", () => {
  expect(ratesOf([at(0, 10), at(2, 15), at(4, 15)])).toEqual([
    { at: 2000, perSecond: 2.5 },
    { at: 4000, perSecond: 0 },
  ]);
  expect(ratesOf([at(0, 10)])).toEqual([]);
});

test("2. a restart", () => {
  expect(addSample([at(0, 100), at(2, 110)], at(4, 3, 2))).toEqual([at(4, 3, 2)]);
});

test("3. two minutes", () => {
  let samples: Sample[] = [];
  for (let index = 0; index < 200; index += 1) samples = addSample(samples, at(index * 2, index));
  expect(samples).toHaveLength(60);
  expect(samples.at(-1)).toEqual(at(398, 199));
});

test("4. a clock set back", () => {
  expect(ratesOf([at(10, 1), at(8, 5), at(10, 9)])).toEqual([{ at: 10_000, perSecond: 2 }]);
});
