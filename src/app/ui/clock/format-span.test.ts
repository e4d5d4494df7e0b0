/**
 * 1. Times are written as the application's rules say, also at the borders of units.
 * 2. No time, however odd, is written as NaN, with a sign or with sixty of anything.
 * 3. Times are said in words.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSpan, formatTick, sayTime } from "./format-span.ts";

test.each([
  [0, "0.0s"],
  [99, "0.1s"],
  [33_400, "33.4s"],
  [59_949, "59.9s"],
  [59_950, "1m 0s"],
  [81_000, "1m 21s"],
  [3_599_600, "1h 0m"],
  [10_260_000, "2h 51m"],
  [61 * 86_400_000, "61 days"],
])("%d ms is %s (1)", (time, text) => expect(formatSpan(time)).toBe(text));

test.each([
  [0, "0s"],
  [500, "0.5s"],
  [40_000, "40s"],
  [90_000, "1m 30s"],
  [120_000, "2m"],
  [5_400_000, "1h 30m"],
])("a tick at %d ms is %s (1)", (time, text) => expect(formatTick(time)).toBe(text));

test("any number has a form (2)", () => {
  fc.assert(
    fc.property(fc.double(), (time) => {
      expect(formatSpan(time)).toMatch(
        /^(?:[1-5]?\d\.\ds|[1-5]?\dm [1-5]?\ds|\d{1,2}h [1-5]?\dm|\d{1,5} days)$/,
      );
    }),
  );
});

test.each([
  [14_700, "14.7 seconds"],
  [81_000, "1 minute 21 seconds"],
  [61 * 86_400_000, "61 days"],
])("%d ms is said %s (3)", (time, text) => expect(sayTime(time)).toBe(text));
