/**
 * 1. Qualities are read as in RFC 9110; unreadable qualities are ignored.
 * 2. Clients that name Markdown and do not prefer HTML get it; those that accept HTML or do not say get HTML;
 *    else text.
 * 3. Brotli is the preferred stored encoding; `q=0` refuses an encoding, and unnamed encodings are not sent.
 * 4. `If-None-Match`: lists, weak tags and `*` match; partial tags, unquoted tags and endless headers do not.
 * 5. Whatever the header, at most its first 2,048 characters count, and nothing throws.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  chooseEncoding,
  chooseForm,
  hasEntityTag,
  MAX_HEADER_LENGTH,
  parseQualities,
  qualityOf,
} from "./negotiation.ts";

test("1. qualities", () => {
  const header = " Text/HTML , text/*;q=0.5, image/png;level=1; Q=0.25, a/b;q=2, c/d;q=x, e/f;q=";
  const accepted = parseQualities(header);
  expect(Object.fromEntries(accepted)).toEqual({ "text/html": 1, "text/*": 0.5, "image/png": 0.25 });
  expect(qualityOf(accepted, "text/plain")).toBe(0.5);
  expect(qualityOf(accepted, "application/json")).toBe(0);
  expect(qualityOf(parseQualities("*/*;q=0.1"), "application/json")).toBe(0.1);
});

test.each([
  [null, "html"],
  ["", "html"],
  ["*/*", "html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["text/markdown", "markdown"],
  ["text/markdown, */*", "markdown"],
  ["text/markdown, text/html", "html"],
  ["text/markdown, text/html;q=0.9, */*;q=0.1", "markdown"],
  ["text/markdown;q=0.5, */*", "html"],
  ["text/markdown;q=0", "text"],
  ["x/text/markdown, text/html", "html"],
  ["application/json", "text"],
  ["image/avif,image/*", "text"],
  ["text/plain", "text"],
])("2. Accept: %s is answered with %s", (accept, form) => {
  expect(chooseForm(accept)).toBe(form);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.0,gzip;q=0", undefined],
  ["*", "br"],
  ["*;q=0.1, br;q=0", "gzip"],
  ["x-br, brotli", undefined],
  ["identity", undefined],
  [null, undefined],
])("3. Accept-Encoding: %s is answered with %s", (header, encoding) => {
  expect(chooseEncoding(header, { br: true, gzip: true })).toBe(encoding);
  expect(chooseEncoding(header, { br: false, gzip: false })).toBeUndefined();
});

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['W/"x", "a"', true],
  ['"x","y" , "a" ', true],
  ['"a,b", "a"', true],
  [" * ", true],
  ['"b"', false],
  ['"aa"', false],
  ['"a', false],
  ["a", false],
  ['"x" "a" trailing', false],
  ['*, "a"', false],
  ['"xW/"a"', false],
  ["", false],
  [null, false],
])("4. If-None-Match: %s", (header, isKnown) => {
  expect(hasEntityTag(header, '"a"')).toBe(isKnown);
});

test("4. a header without end names nothing", () => {
  const list = Array.from({ length: 400 }, (_, i) => `"${i}"`).join(",");
  expect(hasEntityTag(`${list},"a"`, '"a"')).toBe(false);
});

test("5. any header", () => {
  const piece = fc.constantFrom(
    "text/html",
    "text/*",
    "*/*",
    "br",
    "gzip",
    "*",
    ";",
    "q=",
    "0.5",
    ",",
    '"',
    "W/",
    " ",
    "a",
  );
  const header = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(header, (text) => {
      for (const quality of parseQualities(text).values()) expect(quality >= 0 && quality <= 1).toBe(true);
      expect(["html", "markdown", "text"]).toContain(chooseForm(text));
      expect(typeof hasEntityTag(text, '"a"')).toBe("boolean");
      // A list matches exactly the tags in it.
      if (/^\s*(?:(?:W\/)?"[^"]*"\s*(?:,\s*|$))+$/.test(text))
        expect(hasEntityTag(text, '"a"')).toBe(
          [...text.matchAll(/"([^"]*)"/g)].some(([, tag]) => tag === "a"),
        );
    }),
  );
  const long = `${"x/y,".repeat(MAX_HEADER_LENGTH)}text/markdown`;
  expect(chooseForm(long)).toBe("text");
});
