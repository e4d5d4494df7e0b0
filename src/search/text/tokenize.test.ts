/*
 * 1. Identifiers, versions, names with signs, paths and prose are cut as the table says, and put together again.
 * 2. Tokens are in order, do not overlap, and their word is the folded text between their ends.
 * 3. Nothing that can be searched is lost: every letter and digit of the text is inside a token.
 * 4. Folding twice changes nothing.
 * 5. Separators, letters and words of the settings change the cuts.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { findCompounds } from "./compounds.ts";
import { fold } from "./fold.ts";
import { createTokenizer } from "./tokenize.ts";

const plain = { separatorTokens: [], nonSeparatorTokens: [], dictionary: [] };
const tokenize = createTokenizer(plain);
const wordsOf = (text: string) => tokenize(text).map(({ word }) => word);
const compoundsOf = (text: string) => findCompounds(tokenize(text)).map(({ word }) => word);

test.for([
  ["--build-arg", ["build", "arg"], ["buildarg"]],
  ["DOCKER_BUILDKIT=1", ["docker", "buildkit", "1"], ["dockerbuildkit"]],
  ["docker-bake.hcl", ["docker", "bake", "hcl"], ["dockerbakehcl"]],
  ["useState()", ["use", "state"], ["usestate"]],
  ["HTMLElement", ["html", "element"], ["htmlelement"]],
  ["URLs and iPhones", ["urls", "and", "iphones"], []],
  ["C++, c# and F#.", ["c++", "c#", "and", "f#"], []],
  ["~/.npmrc", ["npmrc"], []],
  ["GH-1234", ["gh", "1234"], ["gh1234"]],
  ["v1.2.3", ["v", "1", "2", "3"], ["v1.2.3"]],
  ["ubuntu 24.04", ["ubuntu", "24", "04"], ["24.04"]],
  ["src/search/index.ts", ["src", "search", "index", "ts"], ["indexts"]],
  ["https://a.example/docs", ["https", "a", "example", "docs"], ["aexample"]],
  ["don’t — stop", ["don", "t", "stop"], ["dont"]],
  ["Crème Straße ＡＢＣ", ["creme", "strasse", "abc"], []],
  ["東京都に行く", ["東京", "都", "に", "行く"], []],
  ["สวัสดีครับ", ["สวัสดี", "ครับ"], []],
  ["curl -sSo - --sSo", ["curl", "-sso", "sso"], []],
  ["-XX -Wall -it -noUI a-sSo", ["-xx", "wall", "it", "-noui", "a", "sso"], ["asso"]],
  ["𝐀bc 😀", ["abc"], []],
] as const)("1. %s", ([text, words, compounds]) => {
  expect(wordsOf(text)).toEqual(words);
  expect(compoundsOf(text)).toEqual(compounds);
});

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."abzABZ019-_.,'+# /éß東京ไท\u{10400}\u0301") }),
);

test("2. order and words", () => {
  fc.assert(
    fc.property(texts, (text) => {
      let end = 0;
      for (const token of tokenize(text)) {
        expect(token.start).toBeGreaterThanOrEqual(end);
        expect(token.end).toBeGreaterThan(token.start);
        expect(token.word).toBe(fold(text.slice(token.start, token.end)));
        end = token.end;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
  );
});

test("3. nothing is lost", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = tokenize(text);
      for (const match of text.matchAll(/[\p{L}\p{N}]/gu)) {
        // Text that folds to nothing cannot be searched: a lone vowel sign, a stretching stroke.
        if (fold(match[0]) === "") continue;
        expect(tokens.some(({ start, end }) => start <= match.index && match.index < end)).toBe(true);
      }
    }),
  );
});

test("4. folding", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test("5. settings", () => {
  const words = (text: string, settings: Partial<typeof plain> | object) =>
    createTokenizer({ ...plain, ...settings })(text).map(({ word }) => word);
  expect(words("a|b", { nonSeparatorTokens: ["|"] })).toEqual(["a|b"]);
  expect(words("oneXXtwo", { separatorTokens: ["XX"] })).toEqual(["one", "two"]);
  expect(words("by J. R. R. Tolkien", { dictionary: ["J. R. R."] })).toEqual(["by", "j. r. r.", "tolkien"]);
});
