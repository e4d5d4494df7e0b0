/*
 * 1. A word that the documents do not have is cut in two that they have side by side; of several cuts the one that they
 *    have more often wins.
 * 2. A word that the documents have, or that begins one of theirs, is never cut; nor is a word in quotes.
 * 3. The parts put together are the word, whatever it is.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex } from "../index.ts";
import { parseQuery } from "./parse-query.ts";
import { splitWords } from "./split-words.ts";

const index = openIndex(
  buildIndex(
    ["multi stage build", "multi stage build", "multis tage", "cache mount", "deployment guides"].map(
      (text, id) => ({
        id,
        text,
      }),
    ),
    { primaryKey: "id" },
  ),
);
const split = (q: string) => {
  const { words } = parseQuery(q, { ...index, isPrefixSearch: true });
  return splitWords(index, words, { forgives: "unknown", limits: null }).map(({ word }) => word);
};

test("1. the more frequent cut", () => {
  expect(split("multistage ")).toEqual(["multi", "stage"]);
  expect(split("deploymentguides ")).toEqual(["deployment", "guides"]);
  expect(split("a cachemount")).toEqual(["a", "cache", "mount"]);
});

test("2. known words", () => {
  expect(split("deployment ")).toEqual(["deployment"]);
  expect(split("deploym")).toEqual(["deploym"]);
  expect(split('"multistage"')).toEqual(["multistage"]);
});

test("3. nothing is lost", () => {
  const letters = fc.stringMatching(/^[a-z]{1,12}$/);
  const glued = fc.tuple(fc.constantFrom("multi", "stage", "cache"), letters).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(letters, glued), (word) => {
      expect(split(`${word} `).join("")).toBe(word);
    }),
  );
});
