/* 1. Units come back once each, in ascending order, and the set is empty again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { UnitBits } from "./unit-bits.ts";

test("1. like a sorted set", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2000)), fc.array(fc.nat(2000)), (first, second) => {
      const bits = new UnitBits(2001);
      const units = new Uint32Array(2001);
      for (const given of [first, second, [0, 31, 32, 2000]]) {
        for (const unit of given) bits.add(unit);
        const expected = [...new Set(given)].sort((a, b) => a - b);
        expect(bits.count()).toBe(expected.length);
        expect([...units.subarray(0, bits.drain(units))]).toEqual(expected);
        expect(bits.count()).toBe(0);
      }
    }),
  );
});
