/*
 * 1. The closer the words are in a block, the higher; each word between them costs.
 * 2. Words of one block come before the same words in two.
 * 3. The best block counts; more blocks never lower the score.
 * 4. The window is the shortest stretch that has all words, against trying every stretch.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { smallestWindow } from "./coverage.ts";
import { proximityRule } from "./proximity.ts";
import { matchOf } from "../testing/match.ts";

const score = (query: string, ...texts: string[]) => proximityRule.score(matchOf(query, texts));

test("1. closer first", () => {
  const scores = ["warm cache", "warm x cache", "warm x x cache"].map((text) => score("warm cache", text));
  expect(scores).toEqual([...new Set(scores)].sort((a, b) => b - a));
  expect(scores[0]).toBe(1);
});

test("2. one block first", () => {
  expect(score("warm cache", "warm x x x x x x x x cache")).toBeGreaterThan(
    score("warm cache", "warm", "cache"),
  );
});

test("3. the best block", () => {
  const texts = fc.array(fc.constantFrom("a b", "a", "b x a", "x", "a x x b"), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, (some, more) => {
      expect(score("a b", ...some, ...more)).toBe(Math.max(score("a b", ...some), score("a b", ...more)));
    }),
  );
});

test("4. the shortest stretch", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "x"), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(text, (words) => {
      const [block] = matchOf("a b c", [words.join(" ")]).blocks;
      fc.pre(block !== undefined);
      const wanted = new Set(words.filter((word) => word !== "x"));
      const hasAll = (from: number, to: number) =>
        [...wanted].every((word) => words.slice(from, to).includes(word));
      const lengths = words.flatMap((_, from) =>
        words.flatMap((_, last) => (hasAll(from, last + 1) ? [last + 1 - from] : [])),
      );
      expect(smallestWindow(block!)).toBe(Math.min(...lengths));
    }),
  );
});
