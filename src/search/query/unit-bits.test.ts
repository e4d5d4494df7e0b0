/* 1. Units come back once each, in ascending order; sets add up; a cleared set is empty. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { UnitBits } from "./unit-bits.ts";

test("1. like a sorted set", () => {
  const bits = new UnitBits(2001);
  const others = new UnitBits(2001);
  const units = new Uint32Array(2001);
  fc.assert(
    fc.property(fc.array(fc.nat(2000)), fc.array(fc.nat(2000)), (first, second) => {
      for (const unit of [...first, 0, 31, 32, 2000]) bits.add(unit);
      for (const unit of second) others.add(unit);
      bits.addAll(others);
      const copy = bits.copy();
      const expected = [...new Set([...first, ...second, 0, 31, 32, 2000])].sort((a, b) => a - b);
      expect(bits.count()).toBe(expected.length);
      expect([...units.subarray(0, bits.read(units))]).toEqual(expected);
      for (const unit of [0, 1, 33, ...first]) expect(copy.has(unit)).toBe(expected.includes(unit));
      copy.keepOnly(others);
      expect(copy.count()).toBe(new Set(second).size);
      bits.clear();
      others.clear();
      expect(bits.count()).toBe(0);
      expect(bits.read(units)).toBe(0);
    }),
  );
});
