/**
 * 1. On any text, queries are cut exactly as by the two original regular expressions.
 * 2. Whatever a text repeats, the scan reads about as many characters as it has.
 * 3. The sender is removed, and no body is longer afterwards.
 */
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { cutQueries, hostOf, pathOf, removeSender } from "./clean-text.ts";

const oracle = (text: string) =>
  text.replace(/(\bhttps?:\/\/[^\s"'<>?#\\]*)[?#][^\s"'<>\\]*/g, "$1").replace(/^(\/[^\s?#]*)[?#].*$/s, "$1");

const piece = fc.constantFrom(
  ..."?#/ _a\\\"'<>\n\u00a0\u2028é".split(""),
  "http",
  "https",
  "://",
  "http://",
  "https://",
  "ahttp://",
  "_https://",
  "a.example",
  "$1",
);

test("1. as the expressions did", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      expect(cutQueries(text)).toBe(oracle(text));
    }),
    { numRuns: 3000 },
  );
});

const repeated = ["http://", "http://a/", "https://?", "?http://", "/?", "http", "hhttp://#", " /#http:"];

test.each(repeated)("2. the work of %j, repeated", (unit) => {
  const text = `/? ${unit.repeat(5000)}`;
  const search = RegExp.prototype.exec;
  let looked = 0;
  const exec = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, within) {
    const from = this.lastIndex;
    const found = search.call(this, within);
    looked += (found?.index ?? within.length) - from + 1;
    return found;
  });
  cutQueries(text);
  exec.mockRestore();
  expect(looked).toBeLessThanOrEqual(2 * text.length + 2);
});

test("2. long addresses are cut first", () => {
  expect(pathOf(`/${"a".repeat(5000)}?secret`)).toHaveLength(500);
  expect(pathOf(`https://a.example/${"a".repeat(5000)}`)).toHaveLength(500);
  expect(pathOf(`/? ${"http://".repeat(40_000)}`)).toBe("/");
  expect(hostOf(`https://a.example/${"a".repeat(5000)}`)).toBe("a.example");
});

test("3. the sender", () => {
  const userAgent = "Mozilla/5.0 (X11)";
  const clean = (text: string, agent = userAgent, family = "Chrome") =>
    removeSender(text, { address: "203.0.113.77", userAgent: agent }, family);
  expect(clean(`from 203.0.113.77 with ${userAgent}.`)).toBe("from  with Chrome.");
  const long = "x".repeat(3000);
  expect(clean(`${long}!`, long)).not.toContain("x".repeat(1001));
  // Beyond the size at which the scan changes its algorithm.
  const address = "203.0.113.7";
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(address, "203.0.113.", "203.0.203.0.113.77", "7"), { maxLength: 9 }),
      (parts) => {
        const text = parts.join("") + " ".repeat(500_000);
        expect(removeSender(text, { address, userAgent: null }, "")).toBe(text.replaceAll(address, ""));
      },
    ),
    { numRuns: 30 },
  );
  const short = "opera/1.";
  expect(clean(short.repeat(1000), short, "Samsung Internet").length).toBeLessThanOrEqual(8000);
  expect(() => clean(short.repeat(100_000), short)).toThrow("too often");
});
