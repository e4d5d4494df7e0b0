/**
 * 1. Any filling is in its place in the page, both uncompressed and after decompression.
 * 2. A page without the place is refused, and so is a filling too long for the format.
 */
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fillablePage } from "./fillable-page.ts";
import { staticFile } from "#platform/http/static-files.ts";

const pageOf = (text: string) => ({ ...staticFile("x.html", Buffer.from(text)), br: Buffer.from("br") });

test("1. a filled page", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "<p>", "ü", "🙂", "\n"), maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, (before, filling, after) => {
      const { identity, gzip, br } = fillablePage(pageOf(`${before}<!--x-->${after}`), "<!--x-->")(filling);
      expect(identity.toString()).toBe(before + filling + after);
      expect(gzip && gunzipSync(gzip).toString()).toBe(before + filling + after);
      expect(br).toBeUndefined();
    }),
  );
});

test("2. what is refused", () => {
  expect(() => fillablePage(pageOf("<p>"), "<!--x-->")).toThrow("no place");
  const fill = fillablePage(pageOf("<!--x-->"), "<!--x-->");
  expect(fill("x".repeat(65_535)).identity).toHaveLength(65_535);
  expect(() => fill("ü".repeat(40_000))).toThrow("65535");
});
