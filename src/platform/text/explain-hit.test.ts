/**
 * 1. A found word is explained by the query's word that it matches: as typed, another form, its beginning, a typo (a swap of
 *    letters is one), or none of these. 2. Words whose beginning is marked are listed whole; addresses are not matches.
 * 3. Rules are in order, with score, weight and their other details. 4. Empty attributes and "null" are left out, long ones are
 *    cut; malformed data explains nothing and breaks nothing.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeWord, explainHit, EXPLAIN_TAGS } from "./explain-hit.ts";

const mark = (text: string) => text.replaceAll("[", EXPLAIN_TAGS.pre).replaceAll("]", EXPLAIN_TAGS.post);
const told = (query: string, content: string) =>
  explainHit({ _formatted: { content: mark(content) } }, query).words.map((word) => [
    word.word,
    describeWord(word),
  ]);

test.each([
  ["cache", "the [Cache]", [["cache", "as typed"]]],
  ["café", "the [Cafe]", [["cafe", "as typed"]]],
  ["cache", "[caching] is", [["caching", "another form of “cache”"]]],
  ["conf", "a [conf]iguration", [["configuration", "begins with “conf”"]]],
  ["cachng", "[caching]", [["caching", "1 typo in “cachng”"]]],
  ["buidl", "a [build]", [["build", "1 typo in “buidl”"]]],
  ["k8s", "on [Kubernetes]", [["kubernetes", "a synonym, or words written as one"]]],
  [
    "remote chache",
    "[remote] [cache]",
    [
      ["remote", "as typed"],
      ["cache", "1 typo in “chache”"],
    ],
  ],
])("1, 2. %s in %s", (query, content, words) => {
  expect(told(query, content)).toEqual(words);
});

test("2. where each word is", () => {
  const _formatted = {
    url: mark("/docs/[cache]"),
    hierarchy_lvl1: mark("[Cache]"),
    keywords: [mark("[cache]s"), "x"],
  };
  expect(explainHit({ _formatted }, "cache").words).toEqual([
    { word: "cache", fields: ["hierarchy_lvl1"], how: "as typed", asked: "cache", typos: 0 },
    { word: "caches", fields: ["keywords"], how: "another form", asked: "cache", typos: 0 },
  ]);
});

test("3. rules", () => {
  const _rankingScoreDetails = {
    typo: { order: 1, score: 0.5, typoCount: 1, maxTypoCount: 2 },
    weight: { order: 0, score: 0.25, weight: 0.29 },
    "level:desc": { order: 2, value: 90 },
  };
  const { rules, score } = explainHit({ _rankingScore: 0.4, _rankingScoreDetails }, "x");
  expect(score).toBe(0.4);
  expect(rules.map(({ name, score, weight, rest }) => ({ name, score, weight, rest }))).toEqual([
    { name: "weight", score: 0.25, weight: 0.29, rest: "" },
    { name: "typo", score: 0.5, weight: null, rest: "typoCount 1, maxTypoCount 2" },
    { name: "level:desc", score: null, weight: null, rest: "value 90" },
  ]);
});

test("4. fields", () => {
  const hit = {
    title: "T",
    none: null,
    empty: "",
    absent: "null",
    level: 0,
    long: "x".repeat(5_000),
    _formatted: {},
  };
  expect(explainHit(hit, "x").fields).toEqual([
    { name: "title", text: "T" },
    { name: "level", text: "0" },
    { name: "long", text: `${"x".repeat(600)}…` },
  ]);
});

test("4. anything", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      fc.string(),
      (hit, json, query) => {
        const { words, rules } = explainHit({ ...hit, _formatted: json, _rankingScoreDetails: json }, query);
        expect(words.length + rules.length).toBeLessThanOrEqual(50);
      },
    ),
  );
});
