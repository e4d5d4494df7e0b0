/*
 * One or two letters are answered from a kept list, which no reader can notice:
 * 1. Hits, their order, scores, total and marks are those of the search itself, for every prefix, page and setting.
 * 2. A condition (filter, facets, sort, distinct, attributes, least score) is never answered from the list.
 * 3. Every frequent prefix of one and of two letters has a list; scripts with thousands of letters have a bounded number.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, type IndexSettings, openIndex, search, type SearchQuery } from "../index.ts";
import { MAX_SHORT_ANSWERS, SHORT_ANSWER_HITS } from "../contract/limits.ts";

const hierarchy = { url: "url", levels: ["part", "page", "heading"], content: "content" };

function open(texts: readonly string[], settings: Partial<IndexSettings> = {}) {
  const records = texts.map((content, objectID) => ({
    objectID,
    url: `/page-${objectID % 97}#section-${objectID % 211}`,
    part: "Docs",
    page: `Page ${texts[objectID % 97]!.slice(0, 12)}`,
    heading: texts[objectID % 211]!.slice(0, 9),
    content,
    size: objectID % 7,
  }));
  return openIndex(
    buildIndex(records, {
      hierarchy,
      filterableAttributes: ["size"],
      sortableAttributes: ["size"],
      ...settings,
    }),
  );
}

const words = fc.stringMatching(/^[a-e]{1,5}$/);
const corpora = fc.array(
  fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(" ")),
  { minLength: 250, maxLength: 350 },
);
const letters = ["a", "b", "c", "d", "e"];
const prefixes = letters.flatMap((first) => [first, ...letters.map((second) => first + second)]);

/** The details of scores are not kept, so a query for them gets the search itself. */
const searched = (query: SearchQuery): SearchQuery => ({ ...query, showScoreDetails: true });

test("1. the same hits", () => {
  const settings = fc.constantFrom<Partial<IndexSettings>>(
    {},
    { stopWords: ["a", "ab"] },
    { synonyms: { a: ["bad"], ab: ["dead bee"] } },
    { rankingRules: ["size:desc", "words"] },
    { searchableAttributes: ["content"] },
  );
  fc.assert(
    fc.property(corpora, settings, fc.integer({ min: 1, max: 60 }), (texts, chosen, limit) => {
      const index = open(texts, chosen);
      const kept = prefixes.filter((prefix) => index.shortAnswer(prefix));
      expect(kept.length).toBeGreaterThan(0);
      for (const q of kept) {
        const highlight = { attributes: ["*"], preTag: "<", postTag: ">" };
        const query = { q, limit, offset: limit % 9, showScore: true, highlight };
        const short = search(index, query);
        const long = search(index, searched(query));
        expect(short.total).toBe(long.total);
        expect(short.hits.map(({ id, formatted }) => [id, formatted])).toEqual(
          long.hits.map(({ id, formatted }) => [id, formatted]),
        );
        short.hits.forEach(({ score }, at) => expect(score).toBeCloseTo(long.hits[at]!.score!, 8));
      }
    }),
    { numRuns: 4 },
  );
});

test("2. conditions", () => {
  const index = open(Array.from({ length: 400 }, (_, at) => `ab abc${at} cab ${at % 3 ? "de" : "da"}`));
  const { total } = search(index, { q: "ca" });
  expect(total).toBe(index.shortAnswer("ca")!.total);
  const conditions: Partial<SearchQuery>[] = [
    { filter: "size = 1" },
    { filter: "size = 1", facets: ["size"] },
    { searchOn: ["heading"] },
    { distinct: "size" },
    { minScore: 0.5 },
  ];
  for (const condition of conditions) {
    const given = search(index, { q: "ca", limit: 1000, ...condition });
    expect(given.total, JSON.stringify(condition)).toBe(given.hits.length);
    expect(given.total, JSON.stringify(condition)).toBeLessThan(total);
  }
  const sorted = search(index, { q: "ca", limit: 5, sort: ["size:desc"], showScore: true });
  expect(sorted.hits.map(({ document }) => document["size"])).toEqual([6, 6, 6, 6, 6]);
  const counted = search(index, { q: "ca", facets: ["size"] });
  const counts = Object.values(counted.facetDistribution!["size"]!);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(search(index, { q: "ca -da" }).total).toBeLessThan(total);
});

test("3. which prefixes", () => {
  const index = open(Array.from({ length: 300 }, () => "a ab abc b0 c"));
  const kept = ["a", "ab", "b", "b0", "c"].filter((prefix) => index.shortAnswer(prefix));
  expect(kept).toEqual(["a", "ab", "b", "b0", "c"]);
  expect(index.shortAnswer("abc")).toBeNull();
  expect(index.shortAnswer("ab")!.places).toHaveLength(SHORT_ANSWER_HITS);
  const syllables = Array.from({ length: 800 }, (_, at) => String.fromCodePoint(0xa000 + at));
  const wide = open(Array.from({ length: 101 }, () => syllables.map((one) => `${one}0`).join(" ")));
  const answered = syllables.flatMap((one) => [one, `${one}0`]).filter((prefix) => wide.shortAnswer(prefix));
  // 1600 of them and a few of the headings have as many postings.
  expect(answered.length).toBeLessThanOrEqual(MAX_SHORT_ANSWERS);
  expect(answered.length).toBeGreaterThan(MAX_SHORT_ANSWERS - 20);
});
