/*
 * 1. Units with a sequence are those that a scan of every block finds, joined forms and unfinished last words included.
 * 2. Their number is exact up to the bound; beyond it, estimated from a sample, it is of the right size, and never
 *    wrongly 0 or more than the units that have all the words.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex } from "../index.ts";
import { countUnitsWithSequence, hasSequence, unitsWithSequence } from "./sequences.ts";

const words = fc.constantFrom("build", "cache", "cached", "build-cache", "a", "keep");
const texts = fc.array(
  fc.array(words, { maxLength: 8 }).map((list) => list.join(" ")),
  { maxLength: 30 },
);
const open = (list: readonly string[]) =>
  openIndex(
    buildIndex(
      list.map((text, id) => ({ id, text })),
      { primaryKey: "id" },
    ),
  );

test("1. against a scan", () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(words, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (list, asked, isPrefix) => {
        const index = open(list);
        const parts = asked.flatMap((word) => word.split("-"));
        const sequence = parts.map((word, at) => {
          if (isPrefix && at === parts.length - 1) return index.dictionary.prefixRange(word);
          const from = index.dictionary.find(word);
          return from < 0 ? { from: 0, to: 0 } : { from, to: from + 1 };
        });
        const expected = [...list.keys()].filter((unit) => hasSequence(index, unit, sequence));
        expect([...unitsWithSequence(index, sequence)]).toEqual(expected);
        expect(countUnitsWithSequence(index, sequence, 1000)).toBe(expected.length);
      },
    ),
    { numRuns: 60 },
  );
});

test("2. judged from a sample", () => {
  const index = open(Array.from({ length: 3000 }, (_, at) => (at % 3 === 0 ? "cache build" : "build cache")));
  const exact = (word: string) => {
    const from = index.dictionary.find(word);
    return { from, to: from + 1 };
  };
  const sequence = [exact("build"), exact("cache")];
  expect(countUnitsWithSequence(index, sequence, 3000)).toBe(2000);
  const judged = countUnitsWithSequence(index, sequence, 250);
  expect(judged).toBeGreaterThan(1700);
  expect(judged).toBeLessThan(2300);
  expect(countUnitsWithSequence(index, [exact("build"), exact("build")], 250)).toBe(0);
});
