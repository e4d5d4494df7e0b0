/**
 * 1. A lane never passes its end, and a longer time is never drawn shorter.
 * 2. The usual end is at the same place for all lanes, and longer runs are marked as over it.
 * 3. Waiting items and those of unknown duration are distinguished.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleLane, USUAL_AT } from "./scale-lanes.ts";

const time = fc.double({ min: 0, max: 1e9, noNaN: true });

test("a lane stays within its width and grows with the time (1)", () => {
  fc.assert(
    fc.property(
      time,
      time,
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      time,
      (first, more, usual, cached) => {
        const before = scaleLane({ elapsed: first, usual, cached });
        const after = scaleLane({ elapsed: first + more, usual, cached });
        expect(after.end).toBeGreaterThanOrEqual(before.end);
        expect(after.end).toBeLessThanOrEqual(100);
        expect(before.cached).toBeGreaterThanOrEqual(0);
        expect(before.cached).toBeLessThanOrEqual(before.end);
      },
    ),
  );
});

test("the usual end is at one place, and past it the lane says so (2)", () => {
  expect(scaleLane({ elapsed: 52_000, usual: 52_000 })).toMatchObject({ end: USUAL_AT, isOver: false });
  expect(scaleLane({ elapsed: 104_000, usual: 52_000 })).toMatchObject({ end: 93.5, isOver: true });
});

test("waiting, and a duration that no one knows (3)", () => {
  expect(scaleLane({ elapsed: null, usual: 5 }).kind).toBe("waiting");
  expect(scaleLane({ elapsed: 5, usual: null })).toMatchObject({ kind: "unknown", end: 100 });
  expect(scaleLane({ elapsed: 5, usual: 0 }).kind).toBe("unknown");
  expect(scaleLane({ elapsed: 5, usual: Number.NaN }).kind).toBe("unknown");
});
