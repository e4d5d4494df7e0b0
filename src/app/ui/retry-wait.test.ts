/**
 * 1. Repeated failures are retried after growing pauses, at most a minute; each subject has its own count.
 * 2. A failure after three quiet minutes starts over; one that is shown twice at the same time counts once.
 */
import { expect, test } from "vitest";
import { noteFailure } from "./retry-wait.ts";

test("1. longer waits", () => {
  const waits = [0, 10, 30, 70, 140, 210].map((seconds) => noteFailure("Tokens", seconds * 1_000));
  expect(waits).toEqual([8, 16, 32, 60, 60, 60]);
  expect(noteFailure("Projects", 0)).toBe(8);
});

test("2. anew, and once", () => {
  expect([0, 100, 9_000, 9_000 + 180_000].map((now) => noteFailure("Usage", now))).toEqual([8, 8, 16, 8]);
});
