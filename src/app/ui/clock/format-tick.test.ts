/**
 * 1. Round times are short.
 * 2. Times for assistive technology are in words.
 */
import { expect, test } from "vitest";
import { formatTick, sayTime } from "./format-tick.ts";

test.each([
  [0, "0s"],
  [500, "0.5s"],
  [40_000, "40s"],
  [90_000, "1m 30s"],
  [120_000, "2m"],
  [5_400_000, "1h 30m"],
])("a tick at %d ms is %s (1)", (time, text) => expect(formatTick(time)).toBe(text));

test.each([
  [14_700, "14.7 seconds"],
  [81_000, "1 minute 21 seconds"],
  [61 * 86_400_000, "61 days"],
])("%d ms is said %s (2)", (time, text) => expect(sayTime(time)).toBe(text));
