/**
 * Facets of a federated search: each index is counted over everything that its queries find together, with a
 * document found twice counted once; `mergeFacets` adds up those of all indexes.
 */
import {
  type FacetCounts,
  facetOrderOf,
  facetSteps,
  filterSteps,
  findHits,
  getOwn,
  SearchError,
  setOwn,
  type Steps,
} from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import type { FederatedQuery, FederatedSearch } from "./federated-search.ts";
import { toSearchQuery } from "./json.ts";
import type { SearchStore, StoredIndex } from "../catalog/store.ts";

const DEFAULT_VALUES = 100;

export function* federatedFacetSteps(
  store: SearchStore,
  search: FederatedSearch,
): Steps<{ [name: string]: unknown }> {
  const { federation, queries } = search;
  if (!federation.facetsByIndex) return {};
  const counted = new Map<StoredIndex, FacetCounts>();
  for (const [uid, names] of Object.entries(federation.facetsByIndex)) {
    const positions = queries.flatMap(({ indexUid }, position) => (indexUid === uid ? [position] : []));
    const stored = store.get(uid);
    if (!stored) {
      throw new ApiError(
        "index_not_found",
        `Inside \`.federation.facetsByIndex.${uid}\`: Index \`${uid}\` not found.\n - Note: index \`${uid}\` is not used in queries`,
      );
    }
    if (!names || positions.length === 0) continue;
    const asked = positions.map((position) => queries[position]!);
    const namesOnce = [...new Set(names)];
    const options = { names: namesOnce, position: positions[0]!, search };
    counted.set(stored, yield* countTogether(stored, asked, { ...options, store }));
  }
  if (federation.mergeFacets) {
    return { ...mergeFacets(counted, federation.mergeFacets.maxValuesPerFacet ?? DEFAULT_VALUES) };
  }
  const facetsByIndex = Object.fromEntries(
    Array.from(counted, ([{ uid }, { facetDistribution: distribution, facetStats: stats }]) => [
      uid,
      { distribution, stats },
    ]),
  );
  return { facetsByIndex };
}

function* countTogether(
  stored: StoredIndex,
  queries: readonly FederatedQuery[],
  {
    names,
    position,
    search,
    store,
  }: { names: string[]; position: number; search: FederatedSearch; store: SearchStore },
): Steps<FacetCounts> {
  const { uid, index } = stored;
  const { limits, now, work } = search;
  try {
    const ids = new Set<number>();
    for (const body of queries) {
      // With facets asked for, the engine keeps no shortened list of matches.
      const query = { ...toSearchQuery(body, limits), facets: names, now, work };
      const filter = yield* filterSteps(index, query.filter, work);
      const found = findHits(index, query, filter, 0);
      for (const id of found.matching()) ids.add(id);
      for (const { document } of store.pinning?.of(stored, query.q)?.within(filter) ?? []) ids.add(document);
      yield;
    }
    return yield* facetSteps(index, Uint32Array.from(ids), names, work);
  } catch (cause) {
    if (!(cause instanceof SearchError)) throw cause;
    throw new ApiError(
      "invalid_multi_search_facets",
      `Inside \`.federation.facetsByIndex.${uid}\`: ${cause.message}\n - Note: index \`${uid}\` used in \`.queries[${position}]\``,
      { cause },
    );
  }
}

function mergeFacets(counted: ReadonlyMap<StoredIndex, FacetCounts>, maximum: number): FacetCounts {
  const values = new Map<string, Map<string, number>>();
  const orders = new Map<string, { order: "alpha" | "count"; uid: string }>();
  const facetStats: FacetCounts["facetStats"] = {};
  for (const [{ uid, index }, counts] of counted) {
    for (const [attribute, distribution] of Object.entries(counts.facetDistribution)) {
      checkOrder(orders, attribute, { order: facetOrderOf(index.settings, attribute), uid });
      const merged = values.get(attribute) ?? new Map<string, number>();
      values.set(attribute, merged);
      for (const [value, count] of Object.entries(distribution))
        merged.set(value, (merged.get(value) ?? 0) + count);
    }
    for (const [attribute, { min, max }] of Object.entries(counts.facetStats)) {
      const known = getOwn(facetStats, attribute) ?? { min, max };
      setOwn(facetStats, attribute, { min: Math.min(min, known.min), max: Math.max(max, known.max) });
    }
  }
  const facetDistribution = Object.fromEntries(
    Array.from(values, ([attribute, merged]) => {
      const isByCount = orders.get(attribute)?.order === "count";
      const sorted = [...merged].sort(
        ([a, m], [b, n]) => (isByCount ? n - m : 0) || (a < b ? -1 : a > b ? 1 : 0),
      );
      return [attribute, Object.fromEntries(sorted.slice(0, maximum))];
    }),
  );
  return { facetDistribution, facetStats };
}

/** Values that one index orders by count and another by name have no common order. */
function checkOrder(
  orders: Map<string, { order: "alpha" | "count"; uid: string }>,
  attribute: string,
  here: { order: "alpha" | "count"; uid: string },
): void {
  const known = orders.get(attribute);
  if (known && known.order !== here.order) {
    throw new ApiError(
      "invalid_multi_search_facet_order",
      `Inside \`.federation.facetsByIndex.${here.uid}\`: Inconsistent order for values in facet \`${attribute}\`: index \`${known.uid}\` orders by ${known.order}, but index \`${here.uid}\` by ${here.order}.\n` +
        " - Hint: Remove `federation.mergeFacets` or change `faceting.sortFacetValuesBy` to be consistent in settings.",
    );
  }
  orders.set(attribute, here);
}
