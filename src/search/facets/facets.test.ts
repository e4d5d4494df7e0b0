/**
 * 1. Counts are what a count of every document gives (oracle); values that differ in case are one.
 * 2. Order and number of values follow `facetOrder` and `maxFacetValues`; numbers are in numeric order.
 * 3. Stats are the smallest and the greatest number among the counted documents.
 * 4. `*` and parents name all filterable attributes below them; others are refused.
 * 5. Facet search: every typed word begins a word of the value, typos by length, fewest typos first.
 * 6. The prefix distance is the least number of edits to any beginning of the word (oracle: all beginnings).
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boundedDistance } from "./facet-distance.ts";
import { facetSteps, facetValueSteps } from "./facets.ts";
import { testIndex } from "../testing/filtered-index.ts";
import { runSteps } from "../contract/steps.ts";
import type { FacetQuery, Index, IndexSettings, SearchDocument } from "../contract/types.ts";
import { createWork } from "../contract/work.ts";

const countFacets = (some: Index, ids: Iterable<number>, names: readonly string[]) =>
  runSteps(facetSteps(some, Uint32Array.from(ids), names, createWork()));
const findFacetValues = (some: Index, ids: Iterable<number>, query: FacetQuery) =>
  runSteps(facetValueSteps(some, Uint32Array.from(ids), query, createWork()));

const documents: SearchDocument[] = [
  { section: "Container builds", price: 10, tags: ["b", "a"], author: { name: "Ann" }, secret: 1 },
  { section: "container builds", price: 9, tags: "a", author: { name: "Bo" } },
  { section: "GitHub Actions", price: -2.5, tags: [] },
  { section: "CLI", price: "free" },
  { section: "API" },
];
const filterable = { filterableAttributes: ["section", "price", "tags", "author", "nobody"] };
const index = testIndex(documents, filterable);
const everyone = [0, 1, 2, 3, 4];

test("1. counts", () => {
  expect(countFacets(index, everyone, ["section", "nobody"]).facetDistribution).toEqual({
    section: { API: 1, CLI: 1, "Container builds": 2, "GitHub Actions": 1 },
    nobody: {},
  });
  const values = fc.array(fc.oneof(fc.constantFrom("a", "b", "10", "é"), fc.integer({ min: 0, max: 3 })));
  fc.assert(
    fc.property(fc.array(values, { minLength: 1 }), fc.infiniteStream(fc.boolean()), (lists, coins) => {
      const ids = lists.flatMap((_, id) => (coins.next().value ? [id] : []));
      const some = testIndex(
        lists.map((x) => ({ x })),
        { filterableAttributes: ["x"] },
      );
      const expected = new Map<string, number>();
      for (const id of ids) {
        for (const value of new Set(lists[id])) {
          expected.set(String(value), (expected.get(String(value)) ?? 0) + 1);
        }
      }
      expect(countFacets(some, ids, ["x"]).facetDistribution["x"] ?? {}).toEqual(
        Object.fromEntries(expected),
      );
    }),
  );
});

function names(settings: Partial<IndexSettings>, attribute: string): string[] {
  const some = testIndex(documents, { ...filterable, ...settings });
  return Object.keys(countFacets(some, everyone, [attribute]).facetDistribution[attribute]!);
}

test("2. order and number", () => {
  expect(names({}, "section")).toEqual(["API", "CLI", "Container builds", "GitHub Actions"]);
  expect(names({ facetOrder: { section: "count" } }, "section")[0]).toBe("Container builds");
  expect(names({ facetOrder: { "*": "count" }, maxFacetValues: 1 }, "tags")).toEqual(["a"]);
  expect(names({}, "price")).toEqual(["9", "10", "-2.5", "free"]);
  expect(names({ maxFacetValues: 2 }, "price")).toEqual(["9", "-2.5"]);
});

test("3. stats", () => {
  expect(countFacets(index, everyone, ["price", "section"]).facetStats).toEqual({
    price: { min: -2.5, max: 10 },
  });
  expect(countFacets(index, [1, 3], ["price"]).facetStats).toEqual({ price: { min: 9, max: 9 } });
  expect(countFacets(index, [3], ["price"]).facetStats).toEqual({});
});

test("4. names", () => {
  const all = Object.keys(countFacets(index, everyone, ["*"]).facetDistribution);
  expect(all.toSorted()).toEqual(["author", "author.name", "price", "section", "tags"]);
  expect(() => countFacets(index, everyone, ["secret"])).toThrow(
    "Invalid facet distribution: Attribute `secret` is not filterable. Available filterable attribute patterns are: `section`, `price`, `tags`, `author`, `nobody`.",
  );
});

function find(facetQuery: string, settings: Partial<IndexSettings> = {}): string[] {
  const some = testIndex(documents, { ...filterable, ...settings });
  return findFacetValues(some, everyone, { q: "", facet: "section", facetQuery }).facetHits.map(
    ({ value }) => value,
  );
}

test("5. facet search", () => {
  expect(find("c")).toEqual(["CLI", "Container builds"]);
  expect(find("con")).toEqual(["Container builds"]);
  expect(find("buil cont")).toEqual(["Container builds"]);
  expect(find("contianer")).toEqual(["Container builds"]);
  expect(find("bulids")).toEqual(["Container builds"]);
  expect(find("ACTIONS")).toEqual(["GitHub Actions"]);
  expect(find("")).toHaveLength(4);
  expect(find("cla")).toEqual([]);
  expect(find("", { maxFacetValues: 2, facetOrder: { section: "count" } })).toEqual([
    "Container builds",
    "API",
  ]);
  expect(() => findFacetValues(index, everyone, { q: "", facet: "secret", facetQuery: "" })).toThrow(
    "Attribute `secret` is not facet-searchable.",
  );
});

/** Restricted Damerau-Levenshtein by its definition. */
function edits(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const change = edits(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1);
  const swap =
    a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0] ? edits(a.slice(2), b.slice(2)) + 1 : 99;
  return Math.min(change, swap, edits(a.slice(1), b) + 1, edits(a, b.slice(1)) + 1);
}

test("6. prefix distance", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(letters, letters, fc.integer({ min: 0, max: 2 }), (typed, word, limit) => {
      const beginnings = Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length));
      const least = Math.min(...beginnings.map((beginning) => edits(typed, beginning)));
      expect(boundedDistance(typed, word, limit)).toBe(Math.min(least, limit + 1));
    }),
    { numRuns: 300 },
  );
});
