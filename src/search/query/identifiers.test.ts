/*
 * Identifiers that were typed whole:
 * 1. Recognizes code, names with underscores, and names that may be prose.
 * 2. Their parts count whole where they stand together and half where they stand alone; with underscores only inside of
 *    an identifier.
 * 3. The row that defines one comes before the samples that use it, and headings of its parts come after both.
 * 4. The parts share the rarity of the whole; words of grammar say half.
 * 5. One with underscores finds only where it is written; one of three parts or more, only sections with all parts. If there are
 *    none, its parts are found.
 */
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "../index.ts";
import { lowerScatteredParts } from "./identifier-parts.ts";
import { parseQuery } from "./parse-query.ts";
import { rarity } from "./rarity.ts";
import { retrieve } from "./retrieve.ts";
import type { Occurrence } from "./block-match.ts";

const levels = ["lvl0", "lvl1", "lvl2"];
const record = (url: string, lvl1: string, lvl2: string, content: string) => {
  return { objectID: `${url} ${content}`, url, lvl0: "Docs", lvl1, lvl2, content };
};
const index = openIndex(
  buildIndex(
    [
      record("/ci", "In CI", "null", "null"),
      record(
        "/ci",
        "In CI",
        "null",
        "Run build --save-tag main with MILLRACE_TOKEN, twice: --save-tag main.",
      ),
      record("/save", "Save", "null", "null"),
      record("/save#tag", "Save", "Tag", "null"),
      record("/save#tag", "Save", "Tag", "How to save the tag of an image that was built."),
      record("/cli", "Commands", "null", "null"),
      record("/cli#flags", "Commands", "Flags", "null"),
      record("/cli#flag-save-tag", "Commands", "Flags", "--save-tag\tKeep the image under this name too."),
      record("/env", "Tokens", "null", "null"),
      record("/env#variables", "Tokens", "Variables", "null"),
      record("/env#token", "Tokens", "Variables", "MILLRACE_TOKEN\tWhat commands log in with."),
    ],
    { hierarchy: { url: "url", levels, content: "content" } },
  ),
);
const parse = (q: string) => parseQuery(q, { ...index, isPrefixSearch: true }).words;

test.for([
  ["--save-tag", true, false],
  ["MILLRACE_TOKEN", true, true],
  ["useState", true, false],
  ["multi-stage", false, false],
  ["next.js", false, false],
  ["a --b-c", false, false],
] as const)("1. %s", ([q, isCode, isSnakeCase]) => {
  expect(parse(q)[0]).toMatchObject({ isCode, isSnakeCase });
});

test("2. parts", () => {
  const part = (position: number, mask: number, isPart = false): Occurrence => {
    return { position, length: 1, mask, isPart, weight: 1, typos: 0 };
  };
  const weights = (occurrences: Occurrence[], isSnakeCase: boolean) => {
    lowerScatteredParts(occurrences, { from: 0, to: 2, isSnakeCase });
    return occurrences.map(({ weight }) => weight);
  };
  const text = () => [part(0, 1), part(3, 1), part(4, 2), part(7, 2), part(9, 4), part(9, 3)];
  expect(weights(text(), false)).toEqual([0.5, 1, 1, 0.5, 1, 1]);
  expect(weights(text(), true)).toEqual([0.5, 0.5, 0.5, 0.5, 1, 1]);
  expect(weights([part(3, 1, true), part(4, 2, true)], true)).toEqual([1, 1]);
});

test.for([
  ["--save-tag", "/cli#flag-save-tag"],
  ["MILLRACE_TOKEN", "/env#token"],
])("3. %s", ([q, wanted]) => {
  const found = search(index, { q: q! }).hits.map(({ document }) => document.url);
  expect(found[0]).toBe(wanted);
  expect(found.indexOf("/ci")).toBeGreaterThan(0);
});

test("4. rarities", () => {
  const { rarities, spans } = retrieve(index, parse("MILLRACE_TOKEN "), null);
  const whole = rarity(spans[0]!.matches.units.length, index.unitCount);
  expect(rarities[0]! + rarities[1]!).toBeCloseTo(whole);
  const question = retrieve(index, parse("how image "), null);
  const alone = rarity(question.words[0]!.units.length, index.unitCount);
  expect(question.rarities[0]).toBeCloseTo(alone / 2);
});

test.for([
  ["MILLRACE_TOKEN", ["/ci", "/env#token"]],
  ["millrace_tokens", ["/ci", "/env#token", "/env"]],
  ["saveImageBuilt", ["/save#tag"]],
  ["saveImageMissing", ["/save#tag", "/save"]],
] as const)("5. %s", ([q, wanted]) => {
  const found = search(index, { q }).hits.map(({ document }) => document["url"]);
  for (const url of wanted) expect(found).toContain(url);
  if (q !== "millrace_tokens" && q !== "saveImageMissing") expect(found).toHaveLength(wanted.length);
});
