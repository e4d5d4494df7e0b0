/*
 * Documents that stand alone, and properties of any search:
 *  1. With `matching: "all"` exactly the documents that have every word, against a scan of all of them.
 *  2. Ranking rules decide one after the other: words, typo, proximity, attribute, exactness; custom rules and `sort`.
 *  3. Pages put together are all hits, none lost and none twice, whatever their size.
 *  4. `distinct` leaves one hit per value; totals agree.
 *  5. Any query in any script is answered in the same shape and within the bounds.
 *  6. The time limit cuts ranking short and says so.
 *  7. The same query gives the same answer, whatever was asked before.
 *  8. Typos are forgiven by length, not in numbers, not where the settings say so.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  buildIndex,
  type IndexSettings,
  openIndex,
  search,
  type SearchDocument,
  type SearchQuery,
} from "./index.ts";

const open = (documents: SearchDocument[], settings: Partial<IndexSettings> = {}) =>
  openIndex(
    buildIndex(documents, { primaryKey: "id", searchableAttributes: ["title", "text"], ...settings }),
  );
const idsOf = (index: ReturnType<typeof open>, query: SearchQuery) =>
  search(index, query).hits.map(({ document }) => document.id);

// Two letters: too short for typos and for other forms; no word is two others put together.
const words = fc.constantFrom("ab", "cd", "ef", "gh", "ij", "kl");
const texts = fc.array(words, { maxLength: 6 }).map((list) => list.join(" "));
const corpora = fc
  .array(fc.record({ title: texts, text: texts, group: fc.integer({ min: 0, max: 3 }) }), { maxLength: 30 })
  .map((list) => list.map((document, id) => ({ id, ...document })));

test("1. all words, against a scan", () => {
  fc.assert(
    fc.property(corpora, fc.array(words, { minLength: 1, maxLength: 3 }), (documents, asked) => {
      const index = open(documents);
      const found = idsOf(index, { q: `${asked.join(" ")} `, matching: "all", limit: 100 });
      const expected = documents.filter(({ title, text }) =>
        asked.every((word) => `${title} ${text}`.split(" ").includes(word)),
      );
      expect([...found].sort()).toEqual(expected.map(({ id }) => id).sort());
    }),
  );
});

test("2. rules in turn", () => {
  const check = (documents: SearchDocument[], q: string, query: Partial<SearchQuery> = {}, settings = {}) =>
    idsOf(open(documents, settings), { q, ...query });
  const words = [
    { id: 1, text: "one" },
    { id: 2, text: "one two" },
  ];
  expect(check(words, "one two")).toEqual([2, 1]);
  const typo = [
    { id: 1, text: "warn builders" },
    { id: 2, text: "warn builder" },
  ];
  expect(check(typo, "biulder builder")[0]).toBe(2);
  const proximity = [
    { id: 1, text: "red and then some words until blue" },
    { id: 2, text: "some words and then until red blue" },
  ];
  expect(check(proximity, "red blue")).toEqual([2, 1]);
  const attribute = [
    { id: 1, title: "other", text: "cache" },
    { id: 2, title: "cache", text: "other" },
  ];
  expect(check(attribute, "cache")).toEqual([2, 1]);
  const exactness = [
    { id: 1, text: "caches" },
    { id: 2, text: "cache" },
  ];
  expect(check(exactness, "cache")).toEqual([2, 1]);
  const priced: SearchDocument[] = [
    { id: 1, text: "cache", price: 2 },
    { id: 2, text: "cache", price: 1 },
    { id: 3, text: "cache" },
  ];
  expect(check(priced, "cache", {}, { rankingRules: ["words", "price:asc"] })).toEqual([2, 1, 3]);
  expect(check(priced, "cache", { sort: ["price:desc"] }, { sortableAttributes: ["price"] })).toEqual([
    1, 2, 3,
  ]);
  expect(check(priced, "", { sort: ["price:asc"] }, { sortableAttributes: ["price"] })).toEqual([2, 1, 3]);
});

test("3. pages", () => {
  const queries = fc.oneof(
    texts,
    fc.constant(""),
    words.map((word) => word[0]!),
  );
  fc.assert(
    fc.property(corpora, queries, fc.integer({ min: 1, max: 7 }), (documents, q, size) => {
      const index = open(documents);
      const whole = search(index, { q, limit: 100 });
      const pages = Array.from({ length: 40 }, (_, at) =>
        idsOf(index, { q, page: at + 1, hitsPerPage: size }),
      ).flat();
      const windows = Array.from({ length: 40 }, (_, at) =>
        idsOf(index, { q, offset: at * size, limit: size }),
      ).flat();
      const ids = whole.hits.map(({ document }) => document.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(pages).toEqual(ids);
      expect(windows).toEqual(ids);
      expect(whole.total).toBe(ids.length);
    }),
  );
});

test("4. distinct", () => {
  fc.assert(
    fc.property(corpora, texts, (documents, q) => {
      const index = open(documents, { distinctAttribute: "group" });
      const { hits, total } = search(index, { q, limit: 100 });
      const groups = hits.map(({ document }) => document.group);
      expect(new Set(groups).size).toBe(groups.length);
      expect(total).toBe(groups.length);
      const all = search(open(documents), { q, limit: 100 }).hits;
      expect(new Set(groups)).toEqual(new Set(all.map(({ document }) => document.group)));
    }),
  );
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(..."ab \"-_.'é東京ไท\u{10400}\ud800"), maxLength: 80 }),
  fc
    .array(fc.constantFrom("builder", "bui", "the", '"', "-", "東京", "useState", "c++"), { maxLength: 60 })
    .map((list) => list.join(" ")),
);

test("5. any query", () => {
  const index = open(
    ["The builder of useState", "東京都に行く C++ guide", "Crème brûlée, v1.2.3 and the rest"].map(
      (text, id) => ({ id, text }),
    ),
  );
  fc.assert(
    fc.property(anyText, fc.nat(5), fc.nat(5), (q, offset, limit) => {
      const highlight = { attributes: ["*"], preTag: "<em>", postTag: "</em>" };
      const result = search(index, {
        q,
        offset,
        limit,
        highlight,
        showMatchesPosition: true,
        showScore: true,
      });
      expect(result.hits.length).toBeLessThanOrEqual(limit);
      expect(result.total).toBeGreaterThanOrEqual(result.hits.length);
      for (const hit of result.hits) {
        expect(String(hit.formatted!.text).replaceAll(/<\/?em>/g, "")).toBe(hit.document.text);
      }
    }),
    { numRuns: 1000 },
  );
});

test("6. time limit", () => {
  const index = open(Array.from({ length: 100 }, (_, id) => ({ id, text: `word ${id}` })));
  let time = 0;
  const late = search(index, { q: "word", now: () => (time += 1000) });
  expect(late.isDegraded).toBe(true);
  expect(late.hits.length).toBe(20);
  expect(search(index, { q: "word", now: () => 0 }).isDegraded).toBe(false);
});

test("7. same again", () => {
  fc.assert(
    fc.property(corpora, fc.array(texts, { minLength: 1, maxLength: 8 }), (documents, queries) => {
      const used = open(documents);
      for (const q of queries) search(used, { q });
      const q = queries[0]!;
      expect(search(used, { q })).toEqual(search(open(documents), { q }));
    }),
  );
});

test("8. typos", () => {
  const documents = ["cache", "builder", "deployment", "abc123456", "slug"].map((text, id) => ({ id, text }));
  const index = open(documents);
  const find = (q: string, of = index) => idsOf(of, { q: `${q} ` });
  expect(find("cahce")).toEqual([0]);
  expect(find("bulder")).toEqual([1]);
  expect(find("bldr")).toEqual([]);
  expect(find("deplyomnet")).toEqual([2]);
  expect(find("kuilder")).toEqual([]);
  expect(find("abc123457")).toEqual([]);
  expect(find("slig")).toEqual([]);
  const typo = {
    isEnabled: true,
    oneTypoFrom: 4,
    twoTyposFrom: 9,
    disabledOnWords: [],
    disabledOnNumbers: true,
  };
  expect(find("slig", open(documents, { typo: { ...typo, disabledOnAttributes: [] } }))).toEqual([4]);
  expect(find("cahce", open(documents, { typo: { ...typo, disabledOnAttributes: ["text"] } }))).toEqual([]);
  expect(
    find("cahce", open(documents, { typo: { ...typo, disabledOnAttributes: [], isEnabled: false } })),
  ).toEqual([]);
});
