/**
 * 1. Every match and nothing else is between the tags, and without the tags the text is the original (oracle: a scan
 *    word by word).
 * 2. A prefix is marked to where it was typed, in characters of the original, never inside one.
 * 3. A cropped text is a stretch of whole words of the original with markers exactly at cut ends; it holds at most the
 *    asked words and as many different query words as any window of that length (oracle: every window).
 * 4. Positions are bytes of UTF-8 and cut the matches out of the encoded text; elements of arrays have indices.
 * 5. `formatted` holds the retrieved, highlighted and cropped attributes that are displayed, numbers as text, other
 *    values as they are, nested ones included.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SearchDocument } from "../contract/types.ts";
import { createWork } from "../contract/work.ts";
import { createAttributePicker } from "./attribute-picker.ts";
import { createDocumentFormatter, findMatchPositions } from "./format-document.ts";
import { formatText } from "./format-text.ts";
import type { TextMatcher, TextToken } from "./types.ts";

const fold = (text: string) =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");

function tokenize(text: string): TextToken[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+/gu), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: fold(match[0]),
  })).filter(({ word }) => word !== "");
}

/** Matches whole words, and the last one as a prefix. */
function matcherFor(query: string): TextMatcher {
  const words = tokenize(query).map(({ word }) => word);
  return {
    tokenize,
    fold,
    matchAt(tokens, at) {
      const { word } = tokens[at]!;
      const exact = words.indexOf(word);
      if (exact >= 0) return { tokens: 1, length: word.length, queryWord: exact };
      const prefix = words.at(-1);
      if (prefix === undefined || !word.startsWith(prefix)) return null;
      return { tokens: 1, length: prefix.length, queryWord: words.length - 1 };
    },
  };
}

const tags = { pre: "⟦", post: "⟧" };
const untag = (text: string) => text.replaceAll(/[⟦⟧]/g, "");
const word = fc.constantFrom(
  "build",
  "Builder",
  "cache",
  "Caché",
  "straße",
  "日本",
  "a",
  "é",
  "𝒳y",
  "😀",
  "build-arg",
);
const texts = fc
  .array(fc.tuple(word, fc.constantFrom(" ", ", ", ". ", "\n", "-")))
  .map((parts) => parts.flat().join(""));
const queries = fc
  .array(fc.constantFrom("build", "cache", "strass", "a", "x"), { maxLength: 3 })
  .map((all) => all.join(" "));

test("1. marks are the matches", () => {
  fc.assert(
    fc.property(texts, queries, (text, query) => {
      const marked = formatText(text, { tags, crop: null }, matcherFor(query));
      expect(untag(marked)).toBe(text);
      const words = tokenize(query).map(({ word }) => word);
      const expected = tokenize(text).filter(
        ({ word }) => words.includes(word) || (words.length > 0 && word.startsWith(words.at(-1)!)),
      );
      const opened = Array.from(marked.matchAll(/⟦/g), (match, at) => match.index - 2 * at);
      expect(opened).toEqual(expected.map(({ start }) => start));
    }),
  );
});

test.each([
  ["dock", "Docker", "⟦Dock⟧er"],
  ["ete", "Été indien", "⟦Été⟧ indien"],
  ["et", "É\u0301té", "⟦É\u0301t⟧é"],
  ["cafe", "Cafe\u0301s", "⟦Cafe\u0301⟧s"],
  ["stras", "Straße", "⟦Straß⟧e"],
  ["𝒳", "𝒳yz", "⟦𝒳⟧yz"],
  ["docker", "dockers docker", "⟦docker⟧s ⟦docker⟧"],
])("2. %s in %s", (query, text, marked) => {
  expect(formatText(text, { tags, crop: null }, matcherFor(query))).toBe(marked);
});

function crop(text: string, query: string, length: number): string {
  return formatText(text, { tags, crop: { length, marker: "…" } }, matcherFor(query));
}

describe("3. cropping", () => {
  test("examples", () => {
    expect(crop("one two three four five", "", 3)).toBe("one two three…");
    expect(crop("one two three four five", "five", 3)).toBe("…three four ⟦five⟧");
    expect(crop("one two three four five", "three", 3)).toBe("…two ⟦three⟧ four…");
    expect(crop("Short. ", "short", 3)).toBe("⟦Short⟧. ");
    expect(crop("a x x x b a b x", "a b", 3)).toBe("…⟦b⟧ ⟦a⟧ ⟦b⟧…");
    expect(crop("a b", "a", 0)).toBe("⟦a⟧ b");
  });
  test("any text", () => {
    fc.assert(
      fc.property(texts, queries, fc.integer({ min: 1, max: 6 }), (text, query, length) => {
        const matcher = matcherFor(query);
        const cropped = formatText(text, { tags: null, crop: { length, marker: "…" } }, matcher);
        const body = cropped.replaceAll(/^…|…$/g, "");
        const start = text.indexOf(body);
        expect(start).toBeGreaterThanOrEqual(0);
        const tokens = tokenize(text);
        expect(tokenize(body).length).toBe(Math.min(length, tokens.length));
        if (cropped.startsWith("…")) expect(tokenize(text.slice(0, text.lastIndexOf(body)))).not.toEqual([]);

        const distinctIn = (some: TextToken[]) =>
          new Set(some.flatMap((_, at) => matcher.matchAt(some, at)?.queryWord ?? [])).size;
        const windows = tokens.map((_, at) => distinctIn(tokens.slice(at, at + length)));
        expect(distinctIn(tokenize(body))).toBe(Math.max(0, ...windows));
      }),
    );
  });
});

test("4. positions are bytes", () => {
  fc.assert(
    fc.property(texts, queries, (text, query) => {
      const matcher = matcherFor(query);
      const positions = findMatchPositions({ a: { b: text } }, ["*"], matcher, createWork())["a.b"] ?? [];
      const bytes = new TextEncoder().encode(text);
      const cut = positions.map(({ start, length }) =>
        new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, start + length)),
      );
      const marked = formatText(text, { tags, crop: null }, matcher);
      expect(cut).toEqual(Array.from(marked.matchAll(/⟦([^⟧]*)⟧/g), (match) => match[1]));
    }),
  );
  const positions = findMatchPositions(
    { tags: ["x", "é build"], n: 12, hidden: "build" },
    ["tags", "n"],
    matcherFor("build"),
    createWork(),
  );
  expect(positions).toEqual({ tags: [{ start: 3, length: 5, indices: [1] }] });
});

test("5. what is formatted", () => {
  const document: SearchDocument = {
    id: 12,
    title: "Build it",
    body: { text: "build cache build", note: "build" },
    list: ["build", 3, null],
    flag: true,
    secret: "build",
  };
  const format = createDocumentFormatter(
    {
      displayed: ["id", "title", "body", "list", "flag"],
      retrieve: ["id", "flag"],
      highlight: { attributes: ["title", "body.text", "secret"], preTag: "<b>", postTag: "</b>" },
      crop: { attributes: ["body.text:2", "list"], length: 1, marker: "…" },
    },
    matcherFor("build"),
    createWork(),
  );
  expect(format(document)).toEqual({
    id: "12",
    flag: true,
    title: "<b>Build</b> it",
    body: { text: "<b>build</b> cache…" },
    list: ["build", "3", null],
  });
  expect(createAttributePicker(["body.note", "missing", "li*"])(document)).toEqual({
    body: { note: "build" },
    list: ["build", 3, null],
  });
});
