/**
 * 1. A message begins with a capital and ends with exactly one point.
 * 2. A name or an address at its beginning stays unchanged.
 */
import { expect, test } from "vitest";
import { asSentence } from "./as-sentence.ts";

test.each([
  ["1.", "wrong code", "Wrong code."],
  ["1.", "Is it yours?", "Is it yours?"],
  ["1.", "ünknown person…", "Ünknown person…"],
  ["1.", "𐐨 is not a name", "𐐀 is not a name."],
  ["1.", "tags of acme/web never move", "Tags of acme/web never move."],
  ["2.", "acme/web has no image v1", "acme/web has no image v1."],
  ["2.", "sha256:1f0 is not known", "sha256:1f0 is not known."],
  ["2.", "https://ci.example does not answer", "https://ci.example does not answer."],
])("%s %s", (_property, message, sentence) => {
  expect(asSentence(message)).toBe(sentence);
});
