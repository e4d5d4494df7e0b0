/**
 * 1. Converging lines start evenly spread, end in their lanes 4 apart, and never cross.
 * 2. A point of a streamline lies outside the cylinder and has the line's ψ.
 * 3. Far from the cylinder lines are nearly straight; above and below it they mirror each other.
 * 4. The relative steps of a path lead to where the line ends: rounding does not add up.
 */
import { assert, double, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { convergePaths, cylinderPaths, heightOnLine } from "./flow-field.ts";

const numbersOf = (path: string) => (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
const startOf = (path: string | undefined) => numbersOf(path ?? "")[1] ?? Number.NaN;
const field = { cx: 1030, cy: 420, radius: 150, fromX: 560, toX: 1440, reach: 420, spacing: 17 };

describe("convergePaths", () => {
  it("(1) joins lines to their lanes in order", () => {
    const paths = convergePaths({ width: 440, height: 120, lanes: [30, 90], linesPerLane: 3 });
    const ends = paths.map((path) => numbersOf(path));
    expect(ends.map(([, from]) => from)).toEqual([10, 30, 50, 70, 90, 110]);
    expect(ends.map((numbers) => numbers.at(-1))).toEqual([30.5, 34.5, 38.5, 90.5, 94.5, 98.5]);
  });
});

describe("heightOnLine", () => {
  it("(2) solves the stream function outside the cylinder", () => {
    assert(
      property(
        double({ min: 1, max: 600, noNaN: true }),
        double({ min: -900, max: 900, noNaN: true }),
        (psi, x) => {
          const y = heightOnLine(psi, x, 150);
          expect(Math.hypot(x, y)).toBeGreaterThanOrEqual(150 - 1e-6);
          expect(y * (1 - 150 ** 2 / (x * x + y * y))).toBeCloseTo(psi, 3);
        },
      ),
    );
  });

  it("(3) leaves far lines almost where they were", () => {
    expect(heightOnLine(300, 5000, 150)).toBeCloseTo(300, 0);
  });
});

describe("cylinderPaths", () => {
  it("(3) mirrors the lines at the centre", () => {
    const paths = cylinderPaths(field);
    expect(paths).toHaveLength(50);
    for (let i = 0; i < 25; i++) expect(startOf(paths[i]) + startOf(paths[49 - i])).toBeCloseTo(840, 5);
  });

  it("(4) ends where the line does", () => {
    for (const path of cylinderPaths(field)) {
      const numbers = numbersOf(path);
      const [startY, endX] = [
        numbers[1] ?? 0,
        numbers.filter((_, i) => i % 2 === 0).reduce((sum, dx) => sum + dx, 0),
      ];
      const endY = numbers.filter((_, i) => i % 2 === 1).reduce((sum, dy) => sum + dy, 0);
      const psi = startY - 420;
      const expected =
        420 +
        Math.sign(psi) * heightOnLine(psiAt(field.fromX - field.cx, Math.abs(psi)), endX - field.cx, 150);
      expect(Math.abs(endY - expected)).toBeLessThan(0.3);
    }
  });
});

const psiAt = (x: number, y: number) => y * (1 - 150 ** 2 / (x * x + y * y));
