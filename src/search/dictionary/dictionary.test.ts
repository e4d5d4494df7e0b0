/*
 * 1. A term is found exactly if it was written.
 * 2. A prefix gives exactly the terms that begin with it.
 * 3. Typos: exactly the terms at an optimal string alignment distance of 1 to the limit, one more where the first
 *    letters differ; with a prefix, the best distance to any beginning of the term.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readContainer, writeContainer } from "../file/container.ts";
import { Dictionary, writeDictionary } from "./dictionary.ts";
import { findTypos } from "./typos.ts";

// Few letters, so that words resemble each other.
const word = fc.string({ unit: fc.constantFrom(..."abcd"), minLength: 1, maxLength: 9 });
const dictionaries = fc.uniqueArray(word, { maxLength: 60 }).map((words) => words.sort());

function open(words: string[]): Dictionary {
  return new Dictionary(readContainer(writeContainer(writeDictionary(words))));
}

test("1. find", () => {
  fc.assert(
    fc.property(dictionaries, word, (words, asked) => {
      expect(open(words).find(asked)).toBe(words.indexOf(asked));
    }),
  );
});

test("2. prefix", () => {
  fc.assert(
    fc.property(
      dictionaries,
      fc.string({ unit: fc.constantFrom(..."abcd"), maxLength: 3 }),
      (words, prefix) => {
        const { from, to } = open(words).prefixRange(prefix);
        expect(words.slice(from, to)).toEqual(words.filter((one) => one.startsWith(prefix)));
      },
    ),
  );
});

test("3. typos", () => {
  fc.assert(
    fc.property(
      dictionaries,
      word,
      fc.integer({ min: 1, max: 2 }),
      fc.boolean(),
      (words, asked, limit, isPrefix) => {
        const found = findTypos(open(words), asked, limit, isPrefix);
        const expected = words.flatMap((one, term) => {
          const distances = distancesToBeginnings(asked, one);
          const whole = distances[one.length]!;
          const best = isPrefix ? Math.min(...distances) : whole;
          const total = best + (one[0] === asked[0] ? 0 : 1);
          return total >= 1 && total <= limit ? [{ term, distance: total, isPrefix: best < whole }] : [];
        });
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

/** The plain table: distance of `a` to every beginning of `b`, from the empty one on. */
function distancesToBeginnings(a: string, b: string): number[] {
  const rows = Array.from({ length: a.length + 1 }, (_, at) => [at]);
  for (let column = 0; column <= b.length; column++) rows[0]![column] = column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let cell = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cell = Math.min(cell, rows[row - 2]![column - 2]! + 1);
      }
      rows[row]![column] = cell;
    }
  }
  return rows[a.length]!;
}
