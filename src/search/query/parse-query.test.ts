/*
 * 1. Quotes make phrases, a minus before a word or a phrase excludes it, a minus inside a word does not.
 * 2. The last word may be unfinished, unless a space or a closing quote follows it.
 * 3. Stop words are dropped, but not from phrases, and not if nothing else is left; the last one stays where it may be the
 *    beginning of another word.
 * 4. Where they affect the ranking they stay and are marked: not in phrases, names, flags and words with synonyms of their
 *    own; in a long question they go first.
 * 5. Any text is parsed, into a bounded number of words.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_QUERY_WORDS } from "../contract/limits.ts";
import { createTokenizer } from "../text/tokenize.ts";
import { parseQuery } from "./parse-query.ts";

const tokenize = createTokenizer({ separatorTokens: [], nonSeparatorTokens: [], dictionary: [] });
const parse = (q: string, stopWords: string[] = []) =>
  parseQuery(q, { tokenize, stopWords: new Set(stopWords), isPrefixSearch: true });
const wordsOf = (q: string, stopWords?: string[]) => parse(q, stopWords).words.map(({ word }) => word);

test("1. phrases and exclusions", () => {
  const parsed = parse('cache -redis "warm builder" docker-bake -"layer cache" --build-arg');
  expect(parsed.words.map(({ word }) => word)).toEqual([
    "cache",
    "warm",
    "builder",
    "docker",
    "bake",
    "build",
    "arg",
  ]);
  expect(parsed.phrases).toEqual([["warm", "builder"]]);
  expect(parsed.excluded).toEqual([["redis"], ["layer", "cache"]]);
  expect(parsed.words.map(({ isLiteral }) => isLiteral)).toEqual([
    false,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(wordsOf('an "open phrase')).toEqual(["an", "open", "phrase"]);
  expect(parse("- -").words).toEqual([]);
});

test("2. unfinished words", () => {
  const lastOf = (q: string) => parse(q).words.at(-1)!.isPrefix;
  expect(lastOf("build cach")).toBe(true);
  expect(lastOf("build cache ")).toBe(false);
  expect(lastOf('the "build cache"')).toBe(false);
  expect(lastOf("cache -redis")).toBe(true);
  expect(parse("build cache").words[0]!.isPrefix).toBe(false);
});

test("3. stop words", () => {
  expect(wordsOf("how to push the image", ["how", "to", "the"])).toEqual(["push", "image"]);
  expect(wordsOf('"to the image"', ["to", "the"])).toEqual(["to", "the", "image"]);
  expect(wordsOf("image of the", ["of", "the"])).toEqual(["image", "the"]);
  expect(wordsOf("image of the ", ["of", "the"])).toEqual(["image"]);
  expect(wordsOf("to the", ["to", "the"])).toEqual(["to", "the"]);
});

test.for([
  ["how do i log", "how· do· i· log"],
  ["how do i log in to ghcr", "how· do· i· log in to· ghcr"],
  ["can't push, what's wrong", "can· t· push what· s· wrong"],
  ["docker-in-docker", "docker in docker"],
  ["copy --from", "copy from"],
  ['the "to the image"', "the· to the image"],
  ["to the", "to the"],
  ["the one that i had in the first build of a day", "one had first build day"],
] as const)("4. %s", ([q, wanted]) => {
  const { words } = parseQuery(q, {
    tokenize,
    stopWords: new Set(["how", "do", "i", "in", "to", "the", "from", "what s", "can t", "that", "of", "a"]),
    synonyms: new Set(["log in"]),
    isPrefixSearch: true,
    hasRankingStopWords: true,
  });
  expect(words.map(({ word, isStopWord }) => (isStopWord ? `${word}·` : word)).join(" ")).toBe(wanted);
});

test("5. any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      expect(parse(text.repeat(20)).words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS);
    }),
  );
});
