/**
 * 1. Whatever is requested, a browser that follows the result stays on the origin, and the result is stable.
 * 2. Paths of this origin stay as they are.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

const ORIGIN = "https://build.acme.example";

/** Pieces that attackers write, more often than others. */
const piece = fc.constantFrom(
  ..."/ // \\ /\\ . .. @ : ? # %2f %5c %09 \t \n \r \0 evil.example https: javascript: data: ;/ // ．。".split(
    " ",
  ),
  " ",
  "\u2028",
);
const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.webUrl(),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`),
);

test("1. stays on the origin", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const next = safeNext(text);
      expect(next).toMatch(/^\/(?![/\\])[\x21-\x7E]*$/);
      expect(new URL(next, ORIGIN).origin).toBe(ORIGIN);
      expect(new URL(next, `${ORIGIN}/app/sign-in`).origin).toBe(ORIGIN);
      expect(safeNext(next)).toBe(next);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ["/console/searches?range=7d#top", "/console/searches?range=7d#top"],
  ["/app/device?code=WDJB-MJHT", "/app/device?code=WDJB-MJHT"],
  ["//evil.example", "/app"],
  ["/\\evil.example", "/app"],
  ["/.//evil.example", "/app"],
  ["/\t/evil.example", "/app"],
  ["https://evil.example", "/app"],
  ["/auth/oidc?next=/auth/oidc", "/app"],
  ["", "/app"],
  [null, "/app"],
  [`/${"a".repeat(1000)}`, "/app"],
])("2. %j leads to %s", (text, next) => expect(safeNext(text)).toBe(next));
