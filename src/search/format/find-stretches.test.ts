/**
 * 1. With the shortcut exactly the stretches are found that `findMarks` finds over all tokens, for any query and text:
 *    capitals inside words, versions, joined and split words, accents, scripts without spaces, typos.
 * 2. A text in which no word can match is not tokenized.
 * 3. With configured words or separators there is no shortcut.
 */
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { buildIndex } from "../indexing/build-index.ts";
import { openIndex } from "../reader/open-index.ts";
import { parseQuery } from "../query/parse-query.ts";
import { retrieve } from "../query/retrieve.ts";
import { createTextMatcher } from "../text-matcher.ts";
import type { IndexSettings } from "../contract/types.ts";
import { findMarks } from "./find-marks.ts";
import { findStretches } from "./find-stretches.ts";

const VOCABULARY = [
  "build builder building Caché cache multi stage multistage multi-stage useState use state usestate",
  "docker-bake.hcl dockerbakehcl v1.2.3 v2 C++ F# c a vx 1,000 straße 日本語のテキスト ﬁle naïve İstanbul K",
  "deploy deployment deployments HTMLElement XMLHttpRequest --build-arg GH-1234 .npmrc é e\u0301te",
];

function matcherOf(query: string, settings: Partial<IndexSettings> = {}) {
  const documents = VOCABULARY.map((text, id) => ({ id, text }));
  const index = openIndex(
    buildIndex(documents, { primaryKey: "id", synonyms: { k8s: ["use state"] }, ...settings }),
  );
  const { words } = parseQuery(query, {
    tokenize: index.tokenize,
    stopWords: index.stopWords,
    isPrefixSearch: true,
  });
  return createTextMatcher(index, retrieve(index, words, null));
}

const piece = fc.oneof(
  fc.constantFrom(...VOCABULARY.flatMap((text) => text.split(" "))),
  fc.constantFrom(
    "USE",
    "State",
    "dep",
    "biulder",
    "Vx2",
    "c#d",
    "-sSo",
    "c++x",
    "ab+c",
    "“build”",
    "x",
    "null",
    "k8s",
  ),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const gap = fc.constantFrom(" ", " ", "-", ".", "_", ", ", "/", "\n", "+", "#", "", "\u00a0", "’", "(");
const texts = fc.array(fc.tuple(piece, gap), { maxLength: 12 }).map((parts) => parts.flat().join(""));
const queries = fc
  .array(fc.tuple(piece, fc.constantFrom(" ", "", "-")), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().join(""));

test("1. the same stretches as with all tokens", () => {
  fc.assert(
    fc.property(queries, fc.array(texts, { minLength: 1, maxLength: 20 }), (query, all) => {
      const matcher = matcherOf(query);
      expect(matcher.shortcut).toBeDefined();
      for (const text of all) {
        const marks = findMarks(text, matcher.tokenize(text), matcher);
        expect(findStretches(text, matcher)).toEqual(marks.map(({ start, end }) => ({ start, end })));
      }
    }),
    { numRuns: 300 },
  );
});

test("2. what cannot match is not tokenized", () => {
  const matcher = matcherOf("deploy");
  const tokenize = vi.fn(matcher.tokenize);
  expect(findStretches("A plain text, with nothing to mark.", { ...matcher, tokenize })).toEqual([]);
  expect(findStretches("Then deployed it.", { ...matcher, tokenize })).toEqual([{ start: 5, end: 11 }]);
  expect(tokenize).not.toHaveBeenCalled();
});

test.each([{ dictionary: ["use state"] }, { separatorTokens: ["and"] }, { nonSeparatorTokens: ["@"] }])(
  "3. %o",
  (settings) => {
    expect(matcherOf("build", settings).shortcut).toBeUndefined();
  },
);
