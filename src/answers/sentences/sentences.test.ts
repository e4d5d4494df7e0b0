/**
 * 1. The sentences of a text do not depend on how it was cut into chunks.
 * 2. Sentences end where a reader would say so: not in code, numbers, names of files or abbreviations; citations belong to the
 *    sentence before them.
 * 3. A sentence that is too long is left out, and the next one is not. Thoughts of a reasoning model are left out.
 * 4. Citations are read and removed; what remains is plain text with inline code.
 * 5. Whatever the text is, nothing of it is said without a passage.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_SENTENCE_LENGTH } from "../contract/limits.ts";
import { checkSentence } from "./check-sentence.ts";
import { parseSentence } from "./parse-sentence.ts";
import { createSentenceSplitter } from "./split-sentences.ts";

function split(chunks: readonly string[]): string[] {
  const splitter = createSentenceSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

const piece = fc.oneof(
  fc.constantFrom(
    ...". | ! | ? |: |[1]|[2, 3]|[| ]|`|`a. b`|\n|<think>|</think>|e.g. |v1.2.3 |A|b|Zß|14 days |😀|**|- |".split(
      "|",
    ),
  ),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);

test("1. any cut gives the same sentences", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (pieces, cuts) => {
        const text = pieces.join("");
        const letters = [...text];
        const places = [0, ...cuts.map((cut) => cut % (letters.length + 1)), letters.length].sort(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, at) => letters.slice(places[at], end).join(""));
        expect(split(chunks)).toEqual(split([text]));
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ["One [1]. Two [2].", ["One [1].", "Two [2]."]],
  ["One. [1] Two. [2][3]", ["One. [1]", "Two. [2][3]"]],
  ["One [1] . two [2].", ["One [1] .", "two [2]."]],
  [
    "Run `a. B` in v1.2.3 of docs.example.com [1]. Then stop [2].",
    ["Run `a. B` in v1.2.3 of docs.example.com [1].", "Then stop [2]."],
  ],
  ["Use a tool, e.g. Bazel [1]. It costs 1.5 GB.", ["Use a tool, e.g. Bazel [1].", "It costs 1.5 GB."]],
  ["Free. Then paid? Yes!", ["Free.", "Then paid?", "Yes!"]],
  ["- One [1]\n- Two [2]\n\n", ["- One [1]", "- Two [2]"]],
  ["Waits ... then ends [1].", ["Waits ... then ends [1]."]],
  ["A [link](/docs) is one [1].", ["A [link](/docs) is one [1]."]],
  ["", []],
  [" \n\n ", []],
])("2. %j", (text, sentences) => {
  expect(split([text])).toEqual(sentences);
});

test("3. too long, and thoughts", () => {
  expect(split([`${"a".repeat(MAX_SENTENCE_LENGTH + 1)}. Next [1].`])).toEqual(["", "Next [1]."]);
  expect(split(["<think>Maybe [1]. Or [2].\n</think>\n\nYes [1]."])).toEqual(["Yes [1]."]);
  expect(split(["<think>It never ends [1]."])).toEqual([]);
});

test.each([
  ["It is `a[1]` [2].", "It is `a[1]`.", [2]],
  ["Both are [1][3] true [3, 4].", "Both are true.", [1, 3, 4]],
  ["- **Bold** is gone [1]", "Bold is gone.", [1]],
  ["2. A step [1].", "A step.", [1]],
  ["No source.", "No source.", []],
  ["Turned\u202e [1]", "Turned.", [1]],
  ["[1]", "", [1]],
])("4. %j", (sentence, text, citations) => {
  expect(parseSentence(sentence)).toEqual({ text, citations });
});

test("5. nothing without a passage", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const sentence of split([pieces.join("")]))
        expect(checkSentence(sentence, [], () => true)).toEqual({ unsaid: "no source" });
    }),
  );
});
