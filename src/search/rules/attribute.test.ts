/*
 * 1. An earlier attribute comes before a later one, whatever the places in them.
 * 2. In the same attribute, nearer to the beginning comes first.
 * 3. Each word counts where it stands first; missing words do not count.
 */
import { expect, test } from "vitest";
import { attributeRule } from "./attribute.ts";
import { matchOf, type TestBlock } from "./test-match.ts";

const score = (query: string, ...blocks: TestBlock[]) => attributeRule.score(matchOf(query, blocks));

test("1. attributes", () => {
  const late = score("cache", { text: "x x x x x cache", field: 0 });
  expect(late).toBeGreaterThan(score("cache", { text: "cache", field: 1 }));
});

test("2. places", () => {
  const scores = ["cache", "x cache", "x x x cache"].map((text) => score("cache", { text, field: 1 }));
  expect(scores).toEqual([...new Set(scores)].sort((a, b) => b - a));
});

test("3. first places", () => {
  const title = { text: "cache", field: 0 };
  expect(score("cache", { text: "x cache", field: 2 }, title)).toBe(score("cache", title));
  expect(score("cache missing", title)).toBe(score("cache", title));
  expect(score("missing", title)).toBe(0);
});
