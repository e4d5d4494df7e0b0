/* Only one block with every word as typed counts, and more if the words are rare. */
import { expect, test } from "vitest";
import { completeRule } from "./complete.ts";
import { matchOf } from "../testing/match.ts";

test("every word in one block", () => {
  const complete = (texts: string[], rarity = 3) =>
    completeRule.score(matchOf("warm cache", texts, { rarities: [rarity, rarity] }));
  expect(complete(["x cache x warm"])).toBeGreaterThan(0);
  expect(complete(["cache warm~1"])).toBe(0);
  expect(complete(["cache", "warm"])).toBe(0);
  expect(complete(["warm cache"], 4)).toBeGreaterThan(complete(["warm cache"], 1));
  expect(completeRule.score(matchOf("cache", ["cache"]))).toBe(0);
});
