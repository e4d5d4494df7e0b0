/** Rows that are not too high scroll normally; higher ones can be scrolled to the first, the last and each place between. */
import { expect, test } from "vitest";
import { scaleScroll } from "./scroll-scale.ts";

test("rows that a browser lays out", () => {
  const { height, toRows, toBox } = scaleScroll(1_900_000, 400);
  expect([height, toRows(1234), toBox(1234)]).toEqual([1_900_000, 1234, 1234]);
});

test("a million lines", () => {
  const [rows, view] = [19_000_026, 400];
  const { height, toRows, toBox } = scaleScroll(rows, view);
  expect(height).toBeLessThan(17_800_000);
  expect(toRows(0)).toBe(0);
  expect(toRows(height - view)).toBeCloseTo(rows - view, 3);
  for (const top of [19, 9_500_000, 18_999_000]) expect(toRows(toBox(top))).toBeCloseTo(top, 3);
});
