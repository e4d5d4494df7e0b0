/*
 * 1. More words of the query come before fewer, wherever in it they stand.
 * 2. With `matching: "frequency"` a missing rare word costs more than a missing frequent one.
 */
import { expect, test } from "vitest";
import { matchOf } from "./test-match.ts";
import { rareWordsRule, wordsRule } from "./words.ts";

test("1. more words first", () => {
  const scores = ["a b c", "b c", "c", "x"].map((text) => wordsRule.score(matchOf("a b c", [text])));
  expect(scores).toEqual([1, 2 / 3, 1 / 3, 0]);
});

test("2. rare words", () => {
  const score = (text: string) => rareWordsRule.score(matchOf("the cache", [text], { rarities: [1, 4] }));
  expect([score("the cache"), score("cache"), score("the")]).toEqual([1, 0.8, 0.2]);
});
