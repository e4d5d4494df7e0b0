/**
 * 1. A hit's passage is the sentence or line with the most matches, a row's cells with matches, or its heading.
 * 2. It becomes a text fragment, from which the texts can be read back; other parts of the address are not texts.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fragmentDirective, linkToPassage, passagesOf, textsOfDirective } from "./passages.ts";

const mark = (text: string) =>
  text.replaceAll("[", "__ais-highlight__").replaceAll("]", "__/ais-highlight__");
const hitOf = (formatted: string, more: object = {}) => ({
  objectID: "1",
  url: "https://site.test/docs/cache#keys",
  hierarchy_lvl1: "Cache",
  hierarchy_lvl2: "Keys",
  content: formatted.replaceAll(/[[\]]/g, ""),
  _formatted: { content: mark(formatted) },
  ...more,
});

it.each([
  [
    "A [cache] helps. The [layer] [cache] of v1.2 is kept. Then [cache].",
    {},
    ["The layer cache of v1.2 is kept."],
  ],
  ["docker login\ndocker [build] --[cache]\n", { type: "code" }, ["docker build --cache"]],
  ["[Cache]\tno match\tthe [cache]", { type: "row" }, ["Cache", "the cache"]],
  ["null", { content: "null", _formatted: {} }, ["Keys"]],
  ["Only the title matches.", {}, []],
])("%s (1)", (formatted, more, passages) => {
  expect(passagesOf(hitOf(formatted, more))).toEqual(passages);
});

it("links to the passage (2)", () => {
  const hit = hitOf("Use --[cache], then continue.");
  expect(linkToPassage("/docs/cache#keys", hit)).toBe(
    "/docs/cache#keys:~:text=Use%20%2D%2Dcache%2C%20then%20continue.",
  );
  expect(linkToPassage("/docs/cache", hit)).toMatch(/^\/docs\/cache#:~:text=Use/);
});

it("reads what it writes (2)", () => {
  const texts = fc.array(fc.string({ minLength: 1, maxLength: 100 }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, (list) => {
      const shown = list.filter((text) => text.trim() !== "");
      expect(textsOfDirective(`/docs#a${fragmentDirective(list)}`)).toEqual(shown);
    }),
  );
});

it.each([
  ["/docs#keys", []],
  ["/docs#:~:text=before-,the%20text,-after", ["the text"]],
  ["/docs#:~:text=%E0%A4%A&text=&other=1", []],
  [`/docs#:~:text=${"x".repeat(301)}`, []],
])("reads %s (2)", (address, texts) => {
  expect(textsOfDirective(address)).toEqual(texts);
});
