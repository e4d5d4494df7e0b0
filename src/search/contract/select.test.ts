/* 1. Selecting gives what sorting everything and cutting gives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { selectBest, selectHighest } from "./select.ts";

test("1. same as sorting", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 0, max: 30 }),
      (scores, count) => {
        const isBefore = (a: number, b: number) =>
          scores[a]! > scores[b]! || (scores[a] === scores[b] && a < b);
        const sorted = [...scores.keys()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
        expect(selectBest(scores.length, count, isBefore)).toEqual(sorted.slice(0, count));
        expect(selectHighest(Float32Array.from(scores), scores.length, count)).toEqual(
          sorted.slice(0, count),
        );
      },
    ),
  );
});
