/**
 * Properties of the concepts in `content/concepts.yaml`, on the current pages:
 * 1. The pages have every word of `means`.
 * 2. Every word of `typed` finds a page, and is typed in one concept only.
 */
import { expect, test } from "vitest";
import { loadSynonyms } from "#docs/content/words/synonyms.ts";
import { root } from "#server/pages/build-folders.ts";
import { openDocsSearch } from "./docs-search.ts";

const concepts = loadSynonyms(root).synonyms.flatMap((one) => ("typed" in one ? [one] : []));
const docs = await openDocsSearch();

test("1. what they mean", () => {
  const { dictionary, tokenize } = docs.index;
  const words = concepts.flatMap(({ means }) => means).flatMap((text) => tokenize(text));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter(({ word }) => dictionary.find(word) < 0)).toEqual([]);
});

test("2. what is typed", () => {
  const typed = concepts.flatMap((one) => one.typed);
  expect(typed.filter((word, at) => typed.indexOf(word) !== at)).toEqual([]);
  expect(typed.filter((word) => docs.findPages(`${word} `).length === 0)).toEqual([]);
});
