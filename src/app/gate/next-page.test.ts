/** 1. Whatever the value of `next`, the browser stays on this origin; pages of this origin stay unchanged. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./next-page.ts";

const ORIGIN = "https://build.acme.example";

test.each([
  ["/console/pages?range=7d#x", "/console/pages?range=7d#x"],
  ["/app/device?code=WDJB-MJHT", "/app/device?code=WDJB-MJHT"],
  [null, "/app"],
  [undefined, "/app"],
  ["", "/app"],
  ["console", "/app"],
  ["//evil.example", "/app"],
  ["/\\evil.example", "/app"],
  ["/\t/evil.example", "/app"],
  ["/\n\\evil.example/x", "/app"],
  ["https://evil.example", "/app"],
  ["https:evil.example", "/app"],
  ["javascript:alert(1)", "/app"],
  [" //evil.example", "/app"],
  ["/.//evil.example", "/app"],
  ["/x/..//evil.example", "/app"],
  ["///evil.example", "/app"],
])("1. %j leads to %s", (next, to) => {
  expect(safeNext(next, ORIGIN)).toBe(to);
});

test("1. any text", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "\t",
    "\n",
    "@",
    ":",
    "evil.example",
    "https:",
    "?",
    "#",
    "%2f",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (next) => {
      const path = safeNext(next, ORIGIN);
      expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
      // The result, used as `next` again, stays the same.
      expect(safeNext(path, ORIGIN)).toBe(path);
    }),
    { numRuns: 2000 },
  );
});
