/**
 * 1. Cold steps fill the whole width, one after the other, in proportion to their seconds.
 * 2. On Millrace, a step starts where the previous steps have ended; cached steps take no space.
 * 3. Times are written in minutes and seconds.
 */
import { array, assert, boolean, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSeconds, placeSteps } from "./race.tsx";

const step = record({
  name: boolean().map(String),
  coldSeconds: integer({ min: 1, max: 600 }),
  isCached: boolean(),
  work: integer({ min: 1, max: 60 }),
}).map(({ work, ...rest }) => ({ ...rest, seconds: rest.isCached ? 0 : work }));

describe("placeSteps", () => {
  it("(1, 2) places every step after the ones before it", () => {
    assert(
      property(array(step, { minLength: 2, maxLength: 6 }), (steps) => {
        const { placed, coldTotal, total } = placeSteps(steps);
        let cold = 0;
        let now = 0;
        for (const each of placed) {
          expect(each.coldLeft).toBeCloseTo((cold / coldTotal) * 100, 2);
          expect(each.left).toBeCloseTo((now / coldTotal) * 100, 2);
          if (each.isCached) expect(each.width).toBe(0);
          cold += each.coldSeconds;
          now += each.seconds;
        }
        expect(cold).toBe(coldTotal);
        expect(now).toBe(total);
        const last = placed.at(-1);
        expect((last?.coldLeft ?? 0) + (last?.coldWidth ?? 0)).toBeCloseTo(100, 2);
      }),
    );
  });
});

describe("formatSeconds", () => {
  it.each([
    [25, "25s"],
    [60, "1m 0s"],
    [324, "5m 24s"],
  ])("(3) %d", (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});
