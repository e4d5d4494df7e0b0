/**
 * 1. Depth and values match the parsed value, whatever its texts contain.
 * 2. Invalid JSON neither throws nor is read beyond a limit.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { exceededLimit } from "./json-depth.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** One per list or object, without its first value, and one per value. */
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const within = Object.values(value);
  const own = within.reduce<number>((sum, one) => sum + valuesOf(one), 0);
  return within.length === 0 ? 2 : own + 1;
}

test("1. counted", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const [depth, values] = [depthOf(value), valuesOf(value)];
      expect(exceededLimit(text, { depth, values })).toBeNull();
      if (depth > 0) expect(exceededLimit(text, { depth: depth - 1, values })).toBe("depth");
      expect(exceededLimit(text, { depth, values: values - 1 })).toBe("values");
    }),
  );
});

test("2. what is no JSON", () => {
  expect(exceededLimit("[".repeat(4_000_000), { depth: 5, values: 100 })).toBe("depth");
  expect(exceededLimit(",".repeat(4_000_000), { depth: 5, values: 100 })).toBe("values");
  expect(exceededLimit('"[[[,,,', { depth: 1, values: 2 })).toBeNull();
  expect(exceededLimit(String.raw`"\"[,"`, { depth: 1, values: 1 })).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => void exceededLimit(text, { depth: 3, values: 9 })));
});
