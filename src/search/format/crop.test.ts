/*
 * Cropping and phrases, as Meilisearch's own tests have them, with a real index and query:
 *  1. The window is around the first and best matches, with words on both sides, and ends where a sentence does rather
 *     than beyond it.
 *  2. Most different words first, then nearest together, then in the query's order, then the first.
 *  3. A window smaller than its matches keeps the first of their words; zero crops nothing.
 *  4. A quoted phrase is one match; its words alone are not matches, unless they were also typed alone.
 *  5. Phrases are found wherever a scan of all words finds them.
 *  6. Thousands of matches and a long window take no longer than reading them.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "../index.ts";

function format(text: string, q: string, length: number | null = null, tag = ["<", ">"]): string {
  const index = openIndex(
    buildIndex([{ id: 1, text }], {
      primaryKey: "id",
      prefixSearch: "disabled",
      searchableAttributes: ["*"],
    }),
  );
  const [hit] = search(index, {
    q,
    highlight: { attributes: ["text"], preTag: tag[0]!, postTag: tag[1]! },
    ...(length !== null && { crop: { attributes: ["text"], length, marker: "…" } }),
  }).hits;
  return String(hit?.formatted?.["text"]);
}

test.each([
  ["one two three four five six seven", "four", 3, "…three <four> five…"],
  ["one two three four five six seven", "seven", 3, "…five six <seven>"],
  ["one two three four five six seven", "one", 3, "<one> two three…"],
  ["one two three four five six seven", "four", 2, "…three <four>…"],
  ["a b. Builders are warm here, always. c d e", "warm", 4, "…Builders are <warm> here…"],
  ["x x x x. Warm it up, the builder x x x", "warm", 3, "…<Warm> it up…"],
  ["It's a night of (four) rooms!", "s", 2, "It'<s>…"],
])("1. %s: %s in %i", (text, q, length, cropped) => {
  expect(format(text, q, length)).toBe(cropped);
});

const filler = "x x x x x x x x x x";
test.each([
  ["different words", `red red red ${filler} red blue ${filler}`, 4, "…x <red> <blue> x…"],
  ["nearest", `red x x blue ${filler} red blue ${filler}`, 4, "…x <red> <blue> x…"],
  ["in order", `blue red ${filler} red blue ${filler}`, 4, "…x <red> <blue> x…"],
  ["the first", `red blue ${filler} red blue ${filler}`, 4, "<red> <blue> x x…"],
])("2. %s", (_, text, length, cropped) => {
  expect(format(text, "red blue", length)).toBe(cropped);
});

test("3. small windows", () => {
  expect(format("x x split the world x x.", "split the world", 2)).toBe("…<split> <the>…");
  expect(format("x x split the world x x.", "split the world", 1)).toBe("…<split>…");
  expect(format("x x split the world x x.", "split the world", 0)).toBe("x x <split> <the> <world> x x.");
  expect(format("the power to split the world now", '"power to split the world"', 3)).toBe(
    "…<power to split>…",
  );
});

test.each([
  [
    "to split the world between those who won",
    '"the world"',
    null,
    "to split <the world> between those who won",
  ],
  [
    "one two to split the world between those who won",
    '"the world"',
    6,
    "…to split <the world> between those…",
  ],
  [
    "between those who came and those who went",
    'those "and those"',
    null,
    "between <those> who came <and those> who went",
  ],
  [
    "the do or die, he can not, do it or not he",
    'the "not he" "do or"',
    null,
    "<the> <do or> die, he can not, do it or <not he>",
  ],
  ["Push to GitHub Actions, a hub", '"github actions"', null, "Push to <GitHub Actions>, a hub"],
  ["a builder, warm: a warm builder", '"warm builder"', null, "a builder, warm: a <warm builder>"],
])("4. %s: %s", (text, q, length, marked) => {
  expect(format(text, q, length)).toBe(marked);
});

test("5. phrases, against a scan", () => {
  const texts = fc.array(fc.constantFrom("ab", "cd", "ef", "xy"), { minLength: 1, maxLength: 12 });
  const phrases = fc.array(fc.constantFrom("ab", "cd", "ef"), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(texts, phrases, (words, phrase) => {
      const marked: string[] = [];
      for (let at = 0; at < words.length;) {
        const isPhrase = phrase.every((word, offset) => words[at + offset] === word);
        marked.push(isPhrase ? `<${phrase.join(" ")}>` : words[at]!);
        at += isPhrase ? phrase.length : 1;
      }
      fc.pre(marked.length < words.length || phrase.length === 1);
      const expected = marked.join(" ");
      fc.pre(expected.includes("<"));
      expect(format(words.join(" "), `"${phrase.join(" ")}"`)).toBe(expected);
    }),
  );
});

test("6. many matches", () => {
  const text = "red blue ".repeat(10_000);
  const cropped = format(text, "red blue", 9000, ["", ""]);
  expect(cropped.split(" ")).toHaveLength(9000);
});
