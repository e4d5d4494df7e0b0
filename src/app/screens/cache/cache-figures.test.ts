/**
 * 1. Sums: of the last days, and of all tools by day. 2. Differences of two answers: over midnight, when a day has left
 * the list, and after a reset; no difference is null. 3. Axes of bytes are round.
 */
import { expect, test } from "vitest";
import type { CacheCount } from "#api/gen/json-types.ts";
import { bytesAxis, sumDays, sumTools, newBetween } from "./cache-figures.ts";

const count = (day: number, hits: number, misses = 0, read = 0, written = 0): CacheCount => ({
  start_at: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`,
  hits: String(hits),
  misses: String(misses),
  read_bytes: String(read),
  written_bytes: String(written),
});

test("1. sums", () => {
  const go = [count(18, 1, 2, 3, 4), count(19, 10, 20, 30, 40), count(20, 100, 200, 300, 400)];
  expect(sumDays(go, 1)).toEqual({ hits: 100, misses: 200, readBytes: 300, writtenBytes: 400 });
  expect(sumDays(go, 14)).toEqual({ hits: 111, misses: 222, readBytes: 333, writtenBytes: 444 });
  expect(sumDays([], 7)).toEqual({ hits: 0, misses: 0, readBytes: 0, writtenBytes: 0 });
  const days = sumTools([{ counts: go }, { counts: [count(20, 5), count(21, 7)] }]);
  expect(days.map(({ startAt, hits }) => [new Date(startAt).getUTCDate(), hits])).toEqual([
    [18, 1],
    [19, 10],
    [20, 105],
    [21, 7],
  ]);
});

test("2. between two answers", () => {
  const before = [count(19, 10, 1), count(20, 5, 2, 100, 50)];
  expect(newBetween(before, before)).toBeNull();
  expect(newBetween(before, [count(20, 8, 3, 160, 90), count(21, 4)])).toEqual({
    hits: 7,
    misses: 1,
    readBytes: 60,
    writtenBytes: 40,
  });
  // Another organization's database, or a restored one: no negative requests.
  expect(newBetween(before, [count(19, 0), count(20, 0)])).toBeNull();
  expect(newBetween([], [count(20, 1)])).toMatchObject({ hits: 1 });
});

test("3. axes", () => {
  expect(bytesAxis(28e9).format(20e9)).toBe("20G");
  expect(bytesAxis(1_500).format(1_500)).toBe("1.5K");
  expect(bytesAxis(0)).toMatchObject({ unit: 1 });
  expect(bytesAxis(3e18).format(2e15)).toBe("2000T");
});
