/**
 * 1. A pattern is a file, a folder with everything in it, or has wildcards, each within one part of the path.
 * 2. Patterns with wildcards in one part match the same paths as a regular expression. Long patterns end immediately.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesPath } from "./match-path.ts";

test.each([
  ["package.json", "package.json", true],
  ["./package.json", "package.json", true],
  ["/src/", "src/deep/a.ts", true],
  ["", "any/file", true],
  [".", "any/file", true],
  ["src", "srcs/a.ts", false],
  ["src/a.ts", "src", false],
  ["*.json", "package.json", true],
  ["*.json", "deep/package.json", false],
  ["src/*/a.ts", "src/x/a.ts", true],
  ["a[0-9].txt", "a7.txt", true],
  ["a\\*", "a*", true],
  ["a\\*", "ab", false],
  ["a.b", "axb", false],
])("%s of %s: %s (1)", (pattern, path, isRead) => {
  expect(matchesPath(pattern, path)).toBe(isRead);
});

test("like an expression (2)", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(pattern, name, (wild, text) => {
      const expression = new RegExp(`^${wild.replaceAll("*", ".*").replaceAll("?", ".")}$`);
      expect(matchesPath(wild, text)).toBe(expression.test(text));
    }),
    { numRuns: 1000 },
  );
  expect(matchesPath(`${"*a".repeat(400)}b`, "a".repeat(900))).toBe(false);
  expect(matchesPath("[".repeat(500_000), "a")).toBe(false);
});
