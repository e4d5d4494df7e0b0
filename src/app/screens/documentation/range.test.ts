/**
 * 1. A range ends with the current minute and is as long as its name says; the previous one ends where it begins.
 * 2. An address without a range, or with an invalid one, means seven days.
 */
import { expect, test } from "vitest";
import { boundsOf, findRange, RANGES } from "./range.ts";

const now = Date.UTC(2026, 10, 21, 8, 15, 30);
const numbers = (query: string) => [...new URLSearchParams(query).values()].map(Number);

test.each(RANGES)("1. $label", (range) => {
  const { query, formerQuery } = boundsOf(range, now);
  const [from = 0, to = 0] = numbers(query);
  expect(to).toBe(Date.UTC(2026, 10, 21, 8, 16));
  expect(to - from).toBe(range.length);
  expect(numbers(formerQuery)).toEqual([from - range.length, from]);
});

test("2. the default", () => {
  expect([null, "", "7d", "1y", "__proto__"].map((key) => findRange(key).key)).toEqual(Array(5).fill("7d"));
  expect(findRange("24h").key).toBe("24h");
});
