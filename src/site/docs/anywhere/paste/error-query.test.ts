/**
 * 1. Variable parts of a line are removed: colours, times, ids, digests, addresses; the last part of a path stays.
 * 2. Any text has a result of at most ten words or one known message; the result's own result is of the same kind.
 * 3. A megabyte of any text is read quickly: this test ends.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanLine } from "./clean-line.ts";
import { errorQuery, looksLikeError } from "./error-query.ts";

test.each([
  ["\u001b[31mERROR\u001b[0m: denied", "ERROR: denied"],
  ["\u001b]8;;https://x.example/\u0007link\u001b]8;;\u0007 denied", "link denied"],
  ["2026-11-22T10:00:01.123Z denied", "denied"],
  ["Nov 22 10:00:01 host denied", "host denied"],
  ["#12 0.345 denied", "denied"],
  ["[build 2/5] RUN make => denied", "RUN make denied"],
  ["web-1  | denied", "denied"],
  ['time="2026-11-22T10:00:01Z" level=error msg="denied"', '"denied"'],
  ["bld_5k2m8q1x7c denied", "denied"],
  ["6f1e2d3c-aaaa-bbbb-cccc-0123456789ab denied", "denied"],
  ["acme/web@sha256:9b2cf7f2a1b3c4d5e6f708192a3b4c5d denied", "acme/web denied"],
  ["commit 3f4ca61aafcd denied", "commit denied"],
  ["GET https://registry.example.com/v2/acme/web?x=1 denied", "GET denied"],
  ["dial tcp 10.0.3.17:5000: denied", "dial tcp : denied"],
  ["dial tcp [::1]:5000 denied", "dial tcp denied"],
  ["open /home/ci/work/web/Dockerfile: denied", "open Dockerfile: denied"],
  ["open C:\\Users\\ci\\web\\Dockerfile denied", "open Dockerfile denied"],
  ["src/index.ts:12:34 denied", "src/index.ts denied"],
  ["exit code: 137", "exit code: 137"],
  ["port 8080 after 12.3s", "port 8080 after"],
])("1. %j → %s", (line, clean) => expect(cleanLine(line)).toBe(clean));

test("2. any text", () => {
  const known = ["exec format error", "exit code: 127", "exit code: 137"];
  const words = fc.constantFrom(
    "error:",
    "failed",
    "exec",
    "format",
    "exit",
    "code:",
    "137",
    "at x (y.js:1:2)",
    "\n",
    "\u001b[1m",
    "/a/b",
    "é",
    "名",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.array(words, { maxLength: 60 }).map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(text, (pasted) => {
      looksLikeError(pasted);
      const found = errorQuery(pasted, known);
      if (!found) return;
      if (found.isKnown) expect(known).toContain(found.query);
      else expect(found.query.split(" ").length).toBeLessThanOrEqual(10);
      expect(errorQuery(found.query, known)?.isKnown ?? false).toBe(found.isKnown);
    }),
  );
});

test.each([
  "a",
  "/a",
  "1.",
  "[",
  "\u001b]",
  "a.b",
  "=>",
  "::",
  "\n",
  "error: ",
  "0123456789abcdef-",
  "Nov ",
  "a:",
  "\\a",
  "@",
  "(at ",
])("3. a megabyte of %j", (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  const known = Array.from({ length: 200 }, (_, at) => `error number ${at} of many that are alike`);
  expect(() => [looksLikeError(text), errorQuery(text, known)]).not.toThrow();
});
