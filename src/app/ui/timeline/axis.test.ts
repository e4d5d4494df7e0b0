/**
 * 1. Any axis covers its extent, and has 4 to 7 ticks.
 * 2. An axis grows only by doubling, and not before it must.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitAxis, growAxis } from "./axis.ts";

const extent = fc.double({ min: 0, max: 30 * 86_400_000, noNaN: true });

test("4 to 7 ticks, and room for the end (1)", () => {
  fc.assert(
    fc.property(extent, extent, (first, later) => {
      for (const axis of [fitAxis(first), growAxis(fitAxis(first), later)]) {
        expect(axis.ticks.length).toBeGreaterThanOrEqual(4);
        expect(axis.ticks.length).toBeLessThanOrEqual(7);
        expect(axis.ticks.at(-1)).toBeLessThanOrEqual(axis.end);
      }
      expect(fitAxis(first).end).toBeGreaterThan(first);
      expect(growAxis(fitAxis(first), later).end).toBeGreaterThanOrEqual(later);
    }),
    { examples: [[222_222, 2_457_600_000]] },
  );
  expect(fitAxis(52_000)).toEqual({ end: 60_000, ticks: [0, 10, 20, 30, 40, 50, 60].map((s) => s * 1000) });
  for (const odd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15])
    expect(fitAxis(odd).ticks.length).toBeGreaterThanOrEqual(4);
});

test("it doubles (2)", () => {
  const axis = fitAxis(52_000);
  expect(growAxis(axis, 60_000)).toBe(axis);
  expect(growAxis(axis, 60_001).end).toBe(120_000);
  fc.assert(
    fc.property(extent, extent, (first, later) => {
      const factor = growAxis(fitAxis(first), later).end / fitAxis(first).end;
      expect(Number.isInteger(Math.log2(factor))).toBe(true);
      if (factor > 1) expect((fitAxis(first).end * factor) / 2).toBeLessThan(later);
    }),
  );
});
