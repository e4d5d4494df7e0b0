/*
 * 1. One hit for each value, the best of them, against dropping repeats from all hits by hand; documents without a value
 *    are all kept.
 * 2. No value is lost or comes twice from page to page, and the total counts values.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex, search, type SearchDocument } from "../index.ts";

const documents = fc
  .array(
    fc.record({
      text: fc.constantFrom("cache", "the cache", "warm cache"),
      group: fc.constantFrom("a", "b", 3, null),
    }),
    {
      maxLength: 25,
    },
  )
  .map((list) => list.map((document, id): SearchDocument => ({ id, ...document })));
const open = (list: SearchDocument[]) =>
  openIndex(
    buildIndex(list, { primaryKey: "id", searchableAttributes: ["text"], filterableAttributes: ["group"] }),
  );

test("1. against all hits", () => {
  fc.assert(
    fc.property(documents, (list) => {
      const index = open(list);
      const all = search(index, { q: "cache", limit: 100 }).hits.map(({ document }) => document);
      const seen = new Set<unknown>();
      const wanted = all.filter(({ group }) => {
        if (group === null || group === undefined) return true;
        return !seen.has(group) && seen.add(group);
      });
      const found = search(index, { q: "cache", limit: 100, distinct: "group" }).hits;
      expect(found.map(({ document }) => document)).toEqual(wanted);
    }),
  );
});

test("2. pages", () => {
  fc.assert(
    fc.property(documents, fc.integer({ min: 1, max: 4 }), (list, hitsPerPage) => {
      const index = open(list);
      const whole = search(index, { q: "cache", limit: 100, distinct: "group" });
      const paged = Array.from({ length: 30 }, (_, at) =>
        search(index, { q: "cache", page: at + 1, hitsPerPage, distinct: "group" }),
      );
      expect(paged.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(whole.hits.map(({ id }) => id));
      expect(paged[0]!.total).toBe(whole.hits.length);
    }),
  );
});
