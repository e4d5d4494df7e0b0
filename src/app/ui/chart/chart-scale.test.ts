/**
 * 1. Grid lines are round, evenly spaced, above zero, not above the highest value, and at most four.
 * 2. There are two or more, unless the values are counts of one thing.
 * 3. Without data there are no lines and a nonzero height.
 * 4. Labels under the bars never exceed the given number.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { labelStep, scaleFor } from "./chart-scale.ts";

test("1. 2. lines of the grid", () => {
  expect(scaleFor([9, 46, 31])).toEqual({ top: 46, lines: [10, 20, 30, 40] });
  expect(scaleFor([3, 1])).toEqual({ top: 3, lines: [1, 2, 3] });
  expect(scaleFor([1])).toEqual({ top: 1, lines: [1] });
  const positive = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 50 }),
    fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(positive, { minLength: 1, maxLength: 40 }), (values) => {
      const { top, lines } = scaleFor(values);
      expect(top).toBe(Math.max(...values));
      expect(lines.length).toBeLessThanOrEqual(4);
      if (top > 1 || !values.every(Number.isInteger)) expect(lines.length).toBeGreaterThanOrEqual(2);
      const [step = 0] = lines;
      expect(["1", "2", "5"]).toContain((step || 1).toExponential(8).replace(/[.0]*e.*$/, ""));
      for (const [index, line] of lines.entries()) expect(line / step).toBeCloseTo(index + 1);
      expect((lines.at(-1) ?? 0) <= top * (1 + 1e-6)).toBe(true);
    }),
  );
});

test("3. nothing", () => {
  for (const values of [[], [0, 0], [-1], [NaN]]) expect(scaleFor(values)).toEqual({ top: 1, lines: [] });
});

test("4. labels", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 20 }), (count, most) => {
      expect(Math.ceil(count / labelStep(count, most))).toBeLessThanOrEqual(most);
    }),
  );
});
