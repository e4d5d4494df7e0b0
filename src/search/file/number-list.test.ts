/* 1. Numbers come back whatever their size, in the fewest bytes that hold them all. 2. So do ascending ones by their steps. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { packDifferences, packNumbers, startsOf } from "./number-list.ts";

const sizes = [
  [0xff, 1],
  [0xffff, 2],
  [0xffff_ffff, 4],
] as const;

test.for(sizes)("1. numbers up to %i", ([most, bytes]) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: most })), (numbers) => {
      const packed = packNumbers(Uint32Array.from([...numbers, most]));
      expect([...packed]).toEqual([...numbers, most]);
      expect(packed.BYTES_PER_ELEMENT).toBe(bytes);
    }),
  );
});

test("2. ascending numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70_000)), (steps) => {
      const starts = steps.reduce((sums, step) => [...sums, sums.at(-1)! + step], [0]);
      expect([...startsOf(packDifferences(Uint32Array.from(starts)))]).toEqual(starts);
    }),
  );
  expect([...startsOf(packDifferences(Uint32Array.of(0, 300, 300, 301)))]).toEqual([0, 300, 300, 301]);
});
