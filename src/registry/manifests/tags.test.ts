/** 1. A pattern matches the same as a regular expression of the same meaning, and hostile input does not make it slower. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { immutablePatternOf } from "./tags.ts";

test("1. patterns", () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
  fc.assert(
    fc.property(text("ab."), text("ab.*"), (tag, pattern) => {
      const meaning = pattern.replaceAll(".", "\\.").replaceAll("*", ".*");
      const found = immutablePatternOf(tag, ["nothing", pattern]);
      expect(found).toBe(new RegExp(`^${meaning}$`).test(tag) ? pattern : undefined);
    }),
    { numRuns: 2_000 },
  );
  expect(immutablePatternOf("a".repeat(128), [`${"a*".repeat(63)}b`])).toBeUndefined();
});
