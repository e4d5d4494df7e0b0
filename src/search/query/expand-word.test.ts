/*
 * 1. The word itself before its other forms, before words that it begins, before words that it misspells.
 * 2. Only an unfinished word is completed; against every term of the dictionary, all that it begins are there and the
 *    shorter ones weigh more.
 * 3. Typos are forgiven by length, and a word with digits has none.
 *    In a word that is too short for any, a typo must leave its length nearly as it is, and not only begin the term.
 * 4. Weights lie between 0 and 1, each term comes once, and the best comes first.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex } from "../index.ts";
import { expandWord, typoLimit } from "./expand-word.ts";

const terms = ["cache", "cached", "cachet", "cacle", "cash", "deploy", "deployment", "deplete", "node18"];
const index = openIndex(
  buildIndex(
    terms.map((text, id) => ({ id, text })),
    { primaryKey: "id" },
  ),
);
const expand = (word: string, isPrefix: boolean) =>
  expandWord(word, {
    dictionary: index.dictionary,
    frequency: () => 1,
    typo: index.settings.typo,
    forgives: "short",
    isPrefix,
  }).map((one) => ({ ...one, text: index.dictionary.term(one.term) }));

test("1. kinds", () => {
  const kinds = (word: string, isPrefix: boolean) =>
    expand(word, isPrefix).map(({ text, kind }) => `${text} ${kind}`);
  expect(kinds("cache", false).slice(0, 2)).toEqual(["cache exact", "cached inflection"]);
  const unfinished = kinds("cache", true);
  expect(unfinished.slice(0, 3)).toEqual(["cache exact", "cached prefix", "cachet prefix"]);
  expect(unfinished.indexOf("cacle typo")).toBeGreaterThan(2);
});

test("2. completions", () => {
  expect(expand("deplo", false).map(({ kind }) => kind)).not.toContain("prefix");
  fc.assert(
    fc.property(fc.constantFrom("c", "ca", "cac", "d", "dep", "deploy", "x"), (word) => {
      const completed = expand(word, true).filter(({ kind }) => kind === "prefix");
      const wanted = terms.filter((term) => term.startsWith(word) && term !== word);
      // An inflection may stand for the same term with more weight.
      const known = expand(word, true).map(({ text }) => text);
      for (const term of wanted) expect(known).toContain(term);
      for (const one of completed) {
        for (const other of completed)
          if (one.text.length < other.text.length) expect(one.weight).toBeGreaterThan(other.weight);
      }
    }),
  );
});

test("3. typos by length", () => {
  const { typo } = index.settings;
  expect(
    ["cash", "cache", "deployme", "deploymen", "node18xyz"].map((word) => typoLimit(word, typo)),
  ).toEqual([0, 1, 1, 2, 0]);
  expect(expand("deplyo", false).map(({ text }) => text)).toContain("deploy");
  expect(expand("node19", false)).toEqual([]);
  const near = (word: string) => expand(word, true).map(({ text }) => text);
  expect(near("cche")).toEqual(["cache"]);
  expect(near("dpel")).toEqual([]);
});

test("4. weights", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[acdehlopty]{1,11}$/), fc.boolean(), (word, isPrefix) => {
      const found = expand(word, isPrefix);
      expect(new Set(found.map(({ term }) => term)).size).toBe(found.length);
      found.forEach(({ weight }, at) => {
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(found[at - 1]?.weight ?? 1);
      });
    }),
  );
});
