/**
 * 1. An address of lines is parsed, in either order.
 * 2. Any other address names no line.
 * 3. A range grows from its first line, or from its last when it is extended upwards.
 */
import { expect, test } from "vitest";
import { extendRange, formatLineRange, parseLineRange } from "./line-range.ts";

test.each([
  ["#L65", { from: 65, to: 65 }],
  ["#L65-L67", { from: 65, to: 67 }],
  ["#L67-L65", { from: 65, to: 67 }],
])("%s (1)", (hash, range) => {
  expect(parseLineRange(hash)).toEqual(range);
  if (hash !== "#L67-L65") expect(formatLineRange(range)).toBe(hash);
});

test.each(["", "#", "#L0", "#L-3", "#L1-2", "#L12345678", "#L1-L2-L3", "#l1", "#L1 "])("%j (2)", (hash) => {
  expect(parseLineRange(hash)).toBeNull();
});

test("a range grows (3)", () => {
  expect(extendRange(null, 5)).toEqual({ from: 5, to: 5 });
  expect(extendRange({ from: 5, to: 5 }, 9)).toEqual({ from: 5, to: 9 });
  expect(extendRange({ from: 5, to: 9 }, 7)).toEqual({ from: 5, to: 7 });
  expect(extendRange({ from: 5, to: 9 }, 2)).toEqual({ from: 2, to: 9 });
});
