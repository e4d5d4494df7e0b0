/*
 * 1. An attribute that is the query is 1, one that begins with it comes next, then more words as they were typed.
 * 2. Order counts for the first two; a misspelt word is not as typed.
 * 3. `complete`: only one block with every word as typed counts, and more if the words are rare.
 */
import { expect, test } from "vitest";
import { completeRule, exactnessRule } from "./exactness.ts";
import { matchOf } from "./test-match.ts";

const score = (query: string, ...texts: string[]) => exactnessRule.score(matchOf(query, texts));

test("1. whole, beginning, words", () => {
  const scores = ["warm cache", "warm cache x", "x warm cache", "warm x"].map((text) =>
    score("warm cache", text),
  );
  expect(scores).toEqual([1, 0.9, 0.8, 0.4]);
});

test("2. order and spelling", () => {
  expect(score("warm cache", "cache warm")).toBe(0.8);
  expect(score("warm cache", "warm cache~1")).toBe(0.4);
  const details = exactnessRule.details!(matchOf("warm cache", ["warm cache~1"]));
  expect(details).toEqual({ matchType: "noExactMatch", matchingWords: 1, maxMatchingWords: 2 });
});

test("3. complete", () => {
  const complete = (texts: string[], rarity = 3) =>
    completeRule.score(matchOf("warm cache", texts, { rarities: [rarity, rarity] }));
  expect(complete(["x cache x warm"])).toBeGreaterThan(0);
  expect(complete(["cache warm~1"])).toBe(0);
  expect(complete(["cache", "warm"])).toBe(0);
  expect(complete(["warm cache"], 4)).toBeGreaterThan(complete(["warm cache"], 1));
  expect(completeRule.score(matchOf("cache", ["cache"]))).toBe(0);
});
