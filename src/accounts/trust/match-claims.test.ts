/**
 * 1. A relationship matches when every claim has the same text, and no other value: a list of one counts as its value.
 * 2. If several match, the widest right counts, in any order.
 * 3. Differences are reported for the nearest relationship: only claims that it names, cut, on one line each.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareClaims, matchClaims } from "./match-claims.ts";

const issuer = "https://issuer.example";
const match = (claims: Record<string, string>, payload: Record<string, unknown>) =>
  matchClaims([{ issuer, claims, cache: "read" }], payload);

const differences = (claims: Record<string, string>, payload: Record<string, unknown>) =>
  compareClaims(claims, payload)
    .map(({ line }) => line)
    .join("\n");

describe("1. values", () => {
  test.each<[unknown, string, boolean]>([
    ["main", "main", true],
    ["main", "Main", false],
    [583231, "583231", true],
    [true, "true", true],
    [["main"], "main", true],
    [["main", "other"], "main", false],
    [[], "", false],
    [null, "null", false],
    [{ toString: "main" }, "main", false],
    [[["main"]], "main", false],
    ["", "", true],
  ])("%j is %j: %s", (got, wanted, isMatch) => {
    expect("cache" in match({ ref: wanted }, { ref: got })).toBe(isMatch);
  });

  test("a property of every object is not a claim", () => {
    expect(differences({ constructor: "x" }, {})).toBe('  constructor: wanted "x", got nothing');
    const payload: Record<string, unknown> = JSON.parse('{"__proto__":"x"}');
    const wanted: Record<string, string> = JSON.parse('{"__proto__":"x"}');
    expect(match(wanted, payload)).toEqual({ cache: "read" });
    expect("cache" in match(wanted, {})).toBe(false);
  });

  test("any claims", () => {
    const claims = fc.dictionary(fc.string(), fc.string(), { minKeys: 1, maxKeys: 5, noNullPrototype: true });
    fc.assert(
      fc.property(claims, claims, (wanted, got) => {
        const isMatch = Object.entries(wanted).every(
          ([name, value]) => Object.hasOwn(got, name) && got[name] === value,
        );
        expect("cache" in match(wanted, got)).toBe(isMatch);
        expect(match(wanted, { ...got, ...wanted })).toEqual({ cache: "read" });
      }),
    );
  });
});

test("2. the widest", () => {
  const of = (cache: "read" | "overlay" | "write", claims: Record<string, string>) => ({
    issuer,
    claims,
    cache,
  });
  const all = [of("read", { a: "1" }), of("write", { a: "1", ref: "main" }), of("overlay", { a: "1" })];
  for (const list of [all, all.toReversed()]) {
    expect(matchClaims(list, { a: "1", ref: "main" })).toEqual({ cache: "write" });
    expect(matchClaims(list, { a: "1", ref: "other" })).toEqual({ cache: "overlay" });
  }
});

test("3. what differs", () => {
  const near = { issuer, claims: { repository: "acme/web", ref: "refs/heads/main" }, cache: "read" as const };
  const far = { issuer, claims: { repository: "x", ref: "y", environment: "z" }, cache: "read" as const };
  const payload = { repository: "acme/web", ref: "refs/pull/418/merge", secret: "s" };
  expect(matchClaims([far, near], payload)).toEqual({
    differences: [
      {
        line: '  ref: wanted "refs/heads/main", got "refs/pull/418/merge"',
        check: {
          claim: "ref",
          wanted: "refs/heads/main",
          got: "refs/pull/418/merge",
          matches: false,
          isMissing: false,
        },
      },
    ],
  });
  const hostile = { ref: `\u001B[2J\n\u202E${"x".repeat(100_000)}` };
  const [difference] = compareClaims({ ref: "main" }, hostile);
  for (const text of [difference?.line, difference?.check.got]) expect(text).toMatch(/^[\x20-\x7E…]{1,400}$/);
  expect(differences({ ref: "main" }, { ref: ["a", "b"] })).toBe(
    '  ref: wanted "main", got a list or an object',
  );
  const deep: unknown = JSON.parse("[".repeat(8_000) + "]".repeat(8_000));
  expect(compareClaims({ a: "x", b: "x" }, { a: ["a", "b"], b: [deep, deep] })).toMatchObject([
    { check: { got: '["a","b"]', isMissing: false } },
    { check: { matches: false } },
  ]);
});
