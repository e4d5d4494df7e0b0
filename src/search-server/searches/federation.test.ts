/**
 * 1. The merged list is ordered by weighted score; each hit names its index, its query and its weight.
 * 2. Every query's own order stays, whatever is merged (oracle: the query alone).
 * 3. Queries sorted in the same directions merge by their values, numbers before texts, nothing last; where text ranks
 *    before `sort`, by score first.
 * 4. Facets of an index are counted over everything that its queries find, each document once (oracle:
 *    counting by hand); merged, those of the indexes add up and keep their order.
 * 5. A document that two queries find is listed once; `distinct` makes documents of different indexes the same.
 * 6. Pages, offsets and limits beyond the end.
 * 7. Impossible requests are refused: remote servers, paging or facets in a query, unknown indexes and facets.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildIndex,
  defaultSettings,
  type IndexSettings,
  runSteps,
  type SearchDocument,
} from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { multiSearchSteps } from "./multi-search.ts";
import type { SearchJson } from "./json.ts";
import { createSearchStore, type SearchStore } from "../catalog/store.ts";

const CARS: SearchDocument[] = [
  { id: 1, title: "red car", kind: "small", price: 30, sku: "a" },
  { id: 2, title: "blue car", kind: "large", price: 90, sku: "b" },
  { id: 3, title: "red red truck", kind: "large", price: 70 },
  { id: 4, title: "red bicycle", kind: "Other", sku: "d" },
];
const BOATS: SearchDocument[] = [
  { id: 1, title: "red boat", kind: "small", cost: 50, sku: "a" },
  { id: 2, title: "blue boat", kind: "large", cost: 80 },
  { id: 3, title: "a red sail", kind: "large", cost: "on request" },
];

const settings: Partial<IndexSettings> = {
  primaryKey: "id",
  filterableAttributes: ["kind", "price"],
  sortableAttributes: ["price", "cost"],
};

function storeWith(extra: { cars?: Partial<IndexSettings>; boats?: Partial<IndexSettings> } = {}) {
  const store = createSearchStore();
  store.replace("cars", buildIndex(CARS, { ...defaultSettings(), ...settings, ...extra.cars }));
  store.replace("boats", buildIndex(BOATS, { ...defaultSettings(), ...settings, ...extra.boats }));
  return store;
}

interface Federated {
  hits: {
    id: number;
    _rankingScore?: number;
    _federation: { indexUid: string; queriesPosition: number; weightedRankingScore: number };
  }[];
  [name: string]: unknown;
}

function search(store: SearchStore, body: object) {
  return runSteps(multiSearchSteps(store, body, { limits: DEFAULT_LIMITS, now: () => performance.now() }));
}

function ask(queries: object[], federation: object = {}, store = storeWith()): Federated {
  // A federated body is answered with one list.
  return search(store, { federation, queries }) as unknown as Federated;
}

const names = ({ hits }: Federated) => hits.map(({ id, _federation }) => `${_federation.indexUid}/${id}`);

test("1. weights", () => {
  const queries = [
    { indexUid: "cars", q: "red", showRankingScore: true },
    { indexUid: "boats", q: "red", federationOptions: { weight: 5 } },
  ];
  const { hits } = ask(queries);
  const weights = hits.map(({ _federation }) => _federation.weightedRankingScore);
  expect(weights).toEqual([...weights].sort((a, b) => b - a));
  expect(hits[0]!._federation).toMatchObject({ indexUid: "boats", queriesPosition: 1 });
  for (const { _federation, _rankingScore } of hits) {
    if (_federation.indexUid === "cars") expect(_federation.weightedRankingScore).toBe(_rankingScore);
    else expect(_rankingScore).toBeUndefined();
  }
  const moved = [{ ...queries[0]!, federationOptions: { queryPosition: 7 } }];
  expect(ask(moved).hits[0]!._federation.queriesPosition).toBe(7);
});

test("2. every query's own order", () => {
  const store = storeWith();
  const query = fc.record(
    {
      indexUid: fc.constant("cars"),
      q: fc.constantFrom("", "red", "blue car", "r"),
      sort: fc.constantFrom(["price:asc"], ["price:desc"]),
      filter: fc.constantFrom("kind = large", "price > 40"),
      federationOptions: fc.record({ weight: fc.constantFrom(0, 0.5, 3) }),
    },
    { requiredKeys: ["indexUid"] },
  );
  fc.assert(
    fc.property(fc.array(query, { minLength: 1, maxLength: 3 }), (queries) => {
      const merged = ask([...queries, { indexUid: "boats", q: "red", sort: ["cost:asc"] }], {}, store);
      queries.forEach((query, position) => {
        const alone = { ...query, federationOptions: null };
        const { results } = search(store, { queries: [alone] }) as { results: SearchJson[] };
        const own = merged.hits.filter(({ _federation }) => _federation.queriesPosition === position);
        const places = own.map(({ id }) => results[0]!.hits.findIndex((hit) => hit["id"] === id));
        expect(places).toEqual([...places].sort((a, b) => a - b));
      });
    }),
  );
});

test("3. sorted queries", () => {
  const sorted = (direction: string) => [
    { indexUid: "cars", sort: [`price:${direction}`] },
    { indexUid: "boats", sort: [`cost:${direction}`] },
  ];
  expect(names(ask(sorted("asc")))).toEqual("cars/1 boats/1 cars/3 boats/2 cars/2 boats/3 cars/4".split(" "));
  expect(names(ask(sorted("desc")))).toEqual(
    "cars/2 boats/2 cars/3 boats/1 cars/1 boats/3 cars/4".split(" "),
  );
  const opposed = [sorted("asc")[0]!, { ...sorted("desc")[1]!, federationOptions: { weight: 2 } }];
  expect(names(ask(opposed)).slice(0, 3)).toEqual(["boats/2", "boats/1", "boats/3"]);
  const typed = sorted("asc").map((query) => ({ ...query, q: "red", showRankingScore: true }));
  const scores = ask(typed).hits.map(({ _rankingScore }) => _rankingScore!);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const rankingRules = ["sort", "words", "typo"];
  const first = ask(typed, {}, storeWith({ cars: { rankingRules }, boats: { rankingRules } }));
  expect(names(first)).toEqual(["cars/1", "boats/1", "cars/3", "boats/3", "cars/4"]);
});

describe("4. facets", () => {
  const queries = [
    { indexUid: "cars", q: "red" },
    { indexUid: "cars", filter: "price >= 70" },
    { indexUid: "boats" },
  ];
  const facetsByIndex = { cars: ["kind", "price"], boats: ["kind"] };

  test("by index", () => {
    expect(ask(queries, { facetsByIndex, limit: 1 })["facetsByIndex"]).toEqual({
      cars: {
        distribution: { kind: { large: 2, Other: 1, small: 1 }, price: { 30: 1, 70: 1, 90: 1 } },
        stats: { price: { min: 30, max: 90 } },
      },
      boats: { distribution: { kind: { large: 2, small: 1 } }, stats: {} },
    });
    expect(ask(queries.slice(2), { facetsByIndex })["facetsByIndex"]).not.toHaveProperty("cars");
  });

  test("merged", () => {
    const merged = ask(queries, { facetsByIndex, mergeFacets: { maxValuesPerFacet: 2 } });
    expect(merged["facetDistribution"]).toEqual({
      kind: { Other: 1, large: 4 },
      price: { 30: 1, 70: 1 },
    });
    expect(merged["facetStats"]).toEqual({ price: { min: 30, max: 90 } });
    const byCount = { facetOrder: { "*": "count" as const } };
    const counted = ask(
      queries,
      { facetsByIndex, mergeFacets: {} },
      storeWith({ cars: byCount, boats: byCount }),
    );
    const { kind } = counted["facetDistribution"] as { kind: object };
    expect(Object.entries(kind)).toEqual([
      ["large", 4],
      ["small", 2],
      ["Other", 1],
    ]);
    const mixed = storeWith({ boats: byCount });
    expect(() => ask(queries, { facetsByIndex, mergeFacets: {} }, mixed)).toThrow(/Inconsistent order/);
  });
});

test("5. repeats", () => {
  const twice = [
    { indexUid: "cars", q: "red" },
    { indexUid: "cars", q: "red car" },
  ];
  expect(names(ask(twice)).length).toBe(new Set(names(ask(twice))).size);
  const both = [{ indexUid: "cars" }, { indexUid: "boats" }];
  expect(names(ask(both))).toHaveLength(7);
  const distinct = names(ask(both, { distinct: "sku" }));
  expect(distinct).toHaveLength(6);
  expect(distinct).not.toContain("boats/1");
});

test("6. windows", () => {
  const both = [{ indexUid: "cars" }, { indexUid: "boats" }];
  const all = names(ask(both));
  expect(names(ask(both, { offset: 2, limit: 3 }))).toEqual(all.slice(2, 5));
  expect(ask(both, { page: 2, hitsPerPage: 5 })).toMatchObject({ page: 2, totalPages: 2, totalHits: 7 });
  expect(names(ask(both, { page: 2, hitsPerPage: 5 }))).toEqual(all.slice(5));
  expect(ask(both, { offset: 5000, limit: 1e9 })).toMatchObject({ hits: [], offset: 5000, limit: 1e9 });
  expect(ask([], {})).toMatchObject({ hits: [], estimatedTotalHits: 0 });
});

test.each<[object[], object, string, RegExp]>([
  [
    [{ indexUid: "cars", federationOptions: { remote: "other" } }],
    {},
    "feature_not_enabled",
    /^Inside `\.queries\[0\]`: .*`federationOptions\.remote`/,
  ],
  [
    [{ indexUid: "cars", page: 1 }],
    {},
    "invalid_multi_search_query_pagination",
    /remove `page` from query #0/,
  ],
  [[{ indexUid: "cars", facets: ["kind"] }], {}, "invalid_multi_search_query_facets", /facetsByIndex/],
  [[{ indexUid: "cars" }], { facetsByIndex: { none: ["kind"] } }, "index_not_found", /facetsByIndex\.none/],
  [
    [{ indexUid: "boats" }, { indexUid: "cars" }],
    { facetsByIndex: { cars: ["title"] } },
    "invalid_multi_search_facets",
    /`title` is not filterable[^]*used in `\.queries\[1\]`/,
  ],
  [[{ indexUid: "cars", federationOptions: { weight: -1 } }], {}, "invalid_multi_search_weight", /weight/],
])("7. %j with %j", (queries, federation, code, message) => {
  try {
    ask(queries, federation);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code });
    expect((error as ApiError).message).toMatch(message);
  }
});
