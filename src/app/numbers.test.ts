/** 1. Every number is formatted as by the language's own formatter, with any number of decimals. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNumber } from "./numbers.ts";

const FORMS = [{ most: 0 }, { most: 1 }, { least: 1, most: 1 }, { most: 2 }, { most: 3 }];

const numbers = fc.oneof(
  fc.double({ noNaN: false }),
  fc.double({ min: -1e7, max: 1e7 }),
  fc.integer(),
  // Halves, where binary and decimal rounding differ.
  fc
    .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.constantFrom(100, 1000))
    .map(([of, by]) => of / by),
);

test.each(FORMS)("1. %o", (form) => {
  const { least = 0, most } = form;
  const oracle = new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most });
  fc.assert(
    fc.property(numbers, (value) => {
      expect(formatNumber(value, form)).toBe(oracle.format(value));
    }),
    {
      numRuns: 2_000,
      examples: [[0], [-0], [-0.04], [1.15], [1.005], [999.95], [1e15], [0.5], [-0.5], [1e-7]],
    },
  );
});
