/**
 * 1. Every step begins and ends where it did, in percent of the first build; a cached one has no width.
 * 2. The recorded builds fit: no step begins before its build or ends after it, and steps that are cached took time at first.
 * 3. Times are written in minutes and seconds.
 */
import { array, assert, boolean, float, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSeconds, placeLanes } from "./race.tsx";
import { recordedBuilds } from "./recorded-builds.ts";

const seconds = float({ min: 0, max: 600, noNaN: true });
const span = record({ start: seconds, seconds });
const lane = record({
  name: boolean().map(String),
  cold: span,
  warm: record({ span, isCached: boolean() }),
}).map(({ warm: { span: warm, isCached }, ...rest }) => ({
  ...rest,
  warm: { start: warm.start, seconds: isCached ? 0 : warm.seconds, isCached },
}));

describe("placeLanes", () => {
  it("(1) places every step where it ran", () => {
    assert(
      property(array(lane, { minLength: 2, maxLength: 6 }), (lanes) => {
        const cold = { id: "bld_0000000000", seconds: 1200 };
        for (const [index, placed] of placeLanes({ cold, lanes }).entries()) {
          const of = lanes[index];
          if (!of) throw new Error("one lane more");
          expect(placed.coldLeft).toBeCloseTo((of.cold.start / cold.seconds) * 100, 2);
          expect(placed.coldWidth).toBeCloseTo((of.cold.seconds / cold.seconds) * 100, 2);
          expect(placed.left).toBeCloseTo((of.warm.start / cold.seconds) * 100, 2);
          if (of.warm.isCached) expect(placed.width).toBe(0);
        }
      }),
    );
  });

  it("(2) has builds whose steps fit into them", () => {
    const { cold, warm, lanes } = recordedBuilds;
    expect(warm.id).not.toBe(cold.id);
    for (const each of lanes) {
      expect(each.cold.start + each.cold.seconds, each.name).toBeLessThanOrEqual(cold.seconds);
      expect(each.warm.start + each.warm.seconds, each.name).toBeLessThanOrEqual(warm.seconds);
      if (each.warm.isCached) expect(each.cold.seconds, each.name).toBeGreaterThan(0);
    }
    expect(lanes.map((each) => each.cold.start)).toEqual(
      lanes.map((each) => each.cold.start).toSorted((one, other) => one - other),
    );
  });
});

describe("formatSeconds", () => {
  it.each([
    [4.1, "4.1s"],
    [25, "25s"],
    [60, "1m 0s"],
    [450.6, "7m 31s"],
  ])("(3) %d", (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});
