/*
 * 1. A language with a list has its words once each; regions share it; any other language has none.
 * 2. A word that reverses a meaning or names something in code is not a stop word.
 */
import { expect, test } from "vitest";
import { stopWordsOf } from "./stop-words.ts";

test.each(["en", "de", "es", "fr", "it", "nl", "pt"])("1. %s", (language) => {
  const words = stopWordsOf(language);
  expect(words.length).toBeGreaterThan(60);
  expect(new Set(words).size).toBe(words.length);
  expect(words.filter((word) => !/^[\p{L}']+$/u.test(word))).toEqual([]);
  expect(stopWordsOf(`${language}-XX`)).toEqual(words);
});

test.each(["xx", "", "constructor", "__proto__"])("1. none for %j", (language) => {
  expect(stopWordsOf(language)).toEqual([]);
});

test("2. words that mean something", () => {
  const words = new Set(stopWordsOf("en"));
  for (const one of ["not", "no", "without", "go", "run", "up", "out", "id", "may"])
    expect(words).not.toContain(one);
});
