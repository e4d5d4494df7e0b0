/**
 * 1. Depth and number of values of any JSON equal those of the parsed value; text inside strings does not count.
 * 2. The scan stops at the limit: of 20 MB of `[` it reads as many bytes as levels are allowed.
 * 3. Texts that share a budget use it up together.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkJson } from "./check-json.ts";
import { Refusal } from "../contract/refusal.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Tokens and depth, counted in the value. */
function measure(value: unknown): { tokens: number; depth: number } {
  if (typeof value === "string") return { tokens: 1, depth: 0 };
  if (typeof value !== "object" || value === null) return { tokens: 0, depth: 0 };
  const isList = Array.isArray(value);
  const parts = Object.values(value).map(measure);
  const own = 1 + Math.max(parts.length - 1, 0) + (isList ? 0 : parts.length);
  return {
    tokens: own + parts.reduce((sum, part) => sum + part.tokens, 0),
    depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
  };
}

test("1. what is counted", () => {
  const awkward = fc.constantFrom("[[", '"', "\\", '\\"', "{,}", "\u0000", "é,");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      awkward,
      fc.string(),
      fc.double(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(awkward, fc.string()), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), (one, indent) => {
      const text = JSON.stringify(one, null, indent);
      // Not the result of JSON.parse: Node.js 24.21 can take one escaped key for another (`"` for `\`).
      const { tokens, depth } = measure(one);
      const budget = { depth, tokens: tokens + 1 };
      checkJson(bytes(text), budget);
      expect(budget.tokens).toBe(0);
      expect(() => checkJson(bytes(text), { depth, tokens })).toThrow(Refusal);
      if (depth > 0)
        expect(() => checkJson(bytes(text), { depth: depth - 1, tokens: tokens + 1 })).toThrow("deeper");
    }),
    { numRuns: 500 },
  );
});

test("2. it stops", () => {
  const open = Buffer.alloc(20_000_000, "[");
  let looked = 0;
  const counted = new Proxy(open, {
    get(target, name) {
      looked += typeof name === "string" && /^\d+$/.test(name) ? 1 : 0;
      return Reflect.get(target, name, target) as unknown;
    },
  });
  expect(() => checkJson(counted, { depth: 100, tokens: 1e6 })).toThrow("deeper than 100");
  expect(looked).toBe(101);
  expect(() => checkJson(Buffer.alloc(1e6, ","), { depth: 10, tokens: 50 })).toThrow("too many values");
  expect(() => checkJson(Buffer.alloc(1e6, '""'), { depth: 10, tokens: 50 })).toThrow("too many values");
  // Text that is not JSON is the parser's business.
  for (const text of ["", '"', '"\\', "]]]", "no"])
    expect(checkJson(bytes(text), { depth: 1, tokens: 9 })).toBeGreaterThanOrEqual(0);
});

test("3. together", () => {
  const budget = { depth: 5, tokens: 20 };
  const list = bytes("[1,2,3]");
  for (let time = 0; time < 5; time++) checkJson(list, budget);
  expect(budget.tokens).toBe(0);
  expect(() => checkJson(list, budget)).toThrow("too many values");
});
