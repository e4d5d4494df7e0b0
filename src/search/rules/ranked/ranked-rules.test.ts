/*
 * Rules where documents stand alone:
 *  1. A rank is a whole number from 1 to the most of the rule, whatever matched; the details have scores from 0 to 1.
 *  2. `typo` counts each word in its best spelling, and later rules see no other.
 *  3. `proximity` counts pairs side by side 0, one more for each word between and for the wrong order, at most 3.
 *  4. `attribute` is the place of the attribute, then the place in it, by Meilisearch's steps.
 *  5. `exactness`: an attribute that is the query, one that begins with it, then words as they were typed.
 *  6. The whole score is the ranks as the digits of one number: the order of the scores is the order of the rules.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { attributeRankRule, attributeRule, wordPositionRule } from "./attribute.ts";
import { exactnessRule } from "./exactness.ts";
import { proximityRule } from "./proximity.ts";
import { type Rank, wholeScore } from "./rank.ts";
import type { RankedRule } from "./ranked-rule.ts";
import { documentOf, type TestValue } from "../../testing/ranked-match.ts";
import { typoRule } from "./typo.ts";
import { wordsRule } from "./words.ts";

const rules = [
  wordsRule,
  typoRule,
  proximityRule,
  attributeRule,
  attributeRankRule,
  wordPositionRule,
  exactnessRule,
];
const word = fc.constantFrom("a", "b", "c", "x", "a~1", "b~2");
const value = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" ")),
  importance: fc.integer({ min: 0, max: 3 }),
  before: fc.integer({ min: 0, max: 2000 }),
  isWhole: fc.boolean(),
});
const match = fc
  .tuple(fc.constantFrom("a", "b a", "a b c", "c c"), fc.array(value, { minLength: 1, maxLength: 5 }))
  .map(([asked, values]) => documentOf(asked, values))
  .filter(({ kept }) => kept !== 0);

test.for(rules)("1. $name", (rule) => {
  fc.assert(
    fc.property(match, (one) => {
      const ranks = rule.ranks(one);
      for (const { rank, most } of ranks) {
        expect(Number.isInteger(rank)).toBe(true);
        expect(rank).toBeGreaterThanOrEqual(1);
        expect(rank).toBeLessThanOrEqual(most);
      }
      for (const [name, detail] of Object.entries(rule.details(ranks))) {
        if (/score$/i.test(name)) expect(detail).toSatisfy((score: number) => score >= 0 && score <= 1);
      }
      expect(rule.ranks(structuredClone(one))).toEqual(ranks);
    }),
  );
});

const ranksOf = (rule: RankedRule, query: string, ...values: (string | TestValue)[]) =>
  rule.ranks(documentOf(query, values)).map(({ rank, most }) => `${rank}/${most}`);

test("2. typos", () => {
  expect(ranksOf(typoRule, "warm cache", "warm cache")).toEqual(["5/5"]);
  expect(ranksOf(typoRule, "warm cache", "warm~1 cache~2")).toEqual(["2/5"]);
  expect(ranksOf(typoRule, "warm", "warm~1", "x warm")).toEqual(["3/3"]);
  const narrowed = typoRule.narrow!(documentOf("warm", ["warm~1 x warm"]));
  expect(narrowed.values[0]!.occurrences.map(({ position }) => position)).toEqual([2]);
});

test("3. distances", () => {
  const texts = ["warm cache", "cache warm", "warm x cache", "cache x warm", "warm x x x x cache"];
  expect(texts.flatMap((text) => ranksOf(proximityRule, "warm cache", text))).toEqual([
    "4/4",
    "3/4",
    "3/4",
    "2/4",
    "1/4",
  ]);
  expect(ranksOf(proximityRule, "warm cache", "warm", "cache")).toEqual(["1/4"]);
  expect(ranksOf(proximityRule, "a b c", "a b", "b c")).toEqual(["7/7"]);
});

test("4. attributes and places", () => {
  expect(ranksOf(attributeRule, "cache", { text: "cache", importance: 1 }, "x x x cache")).toEqual([
    "4/4",
    "11/11",
  ]);
  expect(ranksOf(wordPositionRule, "warm cache", "x x warm x cache")).toEqual(["17/21"]);
  const places = [0, 1, 3, 20, 30, 100, 2000].map((before) => ({ text: "cache", before }));
  expect(places.flatMap((place) => ranksOf(wordPositionRule, "cache", place))).toEqual(
    [11, 10, 9, 5, 4, 3, 1].map((rank) => `${rank}/11`),
  );
});

test("5. exactness", () => {
  const texts = ["warm cache", "warm cache x", "x warm cache", "cache warm", "warm cache~1"];
  expect(texts.map((text) => ranksOf(exactnessRule, "warm cache", text).join(" "))).toEqual([
    "3/3 3/3",
    "2/3 3/3",
    "1/3 3/3",
    "1/3 3/3",
    "1/3 2/3",
  ]);
  expect(ranksOf(exactnessRule, "cache", { text: "cache", isWhole: false })[0]).toBe("2/3");
  const details = (text: string) =>
    exactnessRule.details(exactnessRule.ranks(documentOf("warm cache", [text])));
  expect(details("warm cache")).toEqual({ matchType: "exactMatch", score: 1 });
  expect(details("warm cache~1")).toMatchObject({
    matchType: "noExactMatch",
    matchingWords: 1,
    maxMatchingWords: 2,
  });
});

test("6. the whole score", () => {
  const rank = fc
    .integer({ min: 1, max: 9 })
    .chain((most) => fc.integer({ min: 1, max: most }).map((rank): Rank => ({ rank, most })));
  const pairs = fc.array(fc.tuple(rank, fc.nat()), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(pairs, (list) => {
      const one = list.map(([own]) => own);
      const other = list.map(([{ most }, chance]) => ({ rank: 1 + (chance % most), most }));
      const first = one.findIndex(({ rank }, at) => rank !== other[at]!.rank);
      const order = first < 0 ? 0 : Math.sign(one[first]!.rank - other[first]!.rank);
      const difference = wholeScore(one) - wholeScore(other);
      expect(Math.abs(difference) < 1e-9 ? 0 : Math.sign(difference)).toBe(order);
    }),
  );
  expect(wholeScore([])).toBe(1);
});
