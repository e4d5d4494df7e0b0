/*
 * 1. Fewer typos come before more; none is 1.
 * 2. A word counts by its best spelling in the unit.
 * 3. Words that are missing have no typos.
 */
import { expect, test } from "vitest";
import { matchOf } from "./test-match.ts";
import { typoRule } from "./typo.ts";

const score = (query: string, ...texts: string[]) => typoRule.score(matchOf(query, texts));

test("1. fewer typos first", () => {
  expect(score("warm cache", "warm cache")).toBe(1);
  expect(score("warm cache", "warm cache~1")).toBeLessThan(1);
  expect(score("warm cache", "warm~1 cache~1")).toBeLessThan(score("warm cache", "warm cache~1"));
});

test("2. the best spelling", () => {
  expect(score("cache", "cache~2 cache", "cache~1")).toBe(1);
  expect(score("cache", "cache~2", "cache~1")).toBe(score("cache", "cache~1"));
});

test("3. missing words", () => {
  expect(score("warm cache", "cache")).toBe(1);
  const details = typoRule.details!(matchOf("warm cache", ["cache~1"]));
  expect(details).toEqual({ typoCount: 1, maxTypoCount: 2 });
});
