/**
 * Federated search: several queries, one list. Each hit's ranking score is multiplied with its query's weight; the
 * lists are merged by that. The same document found by two queries stays once, with its better score.
 */
import type { Hit, SearchQuery } from "#search/types.ts";
import { refuseIfLate } from "./deadline.ts";
import { inQuery, translateErrors } from "./engine-errors.ts";
import { ApiError } from "./errors.ts";
import { checkIndexUid } from "./index-uid.ts";
import type { SearchLimits } from "./limits.ts";
import { toHitJson, toSearchQuery } from "./search-json.ts";
import type { FederationBody, MultiSearchBody } from "./search-schema.ts";
import type { SearchStore } from "./store.ts";

type FederatedQuery = MultiSearchBody["queries"][number];

export interface FederatedJson {
  hits: { [name: string]: unknown }[];
  processingTimeMs: number;
  [name: string]: unknown;
}

interface Candidate {
  hit: Hit;
  query: FederatedQuery;
  position: number;
  weighted: number;
}

interface Window {
  offset: number;
  limit: number;
  /** Set when pages were asked for. */
  page?: number;
}

export function searchFederated(
  store: SearchStore,
  queries: FederatedQuery[],
  federation: FederationBody,
  options: { limits: SearchLimits; now: () => number },
): FederatedJson {
  const started = options.now();
  const window = windowOf(federation, options.limits);
  const wanted = Math.min(window.offset + window.limit, options.limits.hitsPerQuery);
  const candidates: Candidate[] = [];
  let total = 0;
  queries.forEach((query, position) => {
    const found = inQuery(position, () => {
      refuseIfLate(started, options);
      return searchForMerge(store, query, position, wanted, options);
    });
    total += found.total;
    candidates.push(...found.candidates);
  });
  // The sort is stable: equal scores keep the order of the queries, and each query its own order.
  candidates.sort((a, b) => b.weighted - a.weighted);
  const distinct = dropRepeats(candidates, federation.distinct ?? null, store);
  const hits = distinct.slice(window.offset, window.offset + window.limit).map(toFederatedHit);
  const dropped = candidates.length - distinct.length;
  return {
    hits,
    processingTimeMs: Math.round(options.now() - started),
    ...totals(window, total - dropped),
    ...facets(store, federation, queries, options.limits),
  };
}

function windowOf(federation: FederationBody, limits: SearchLimits): Window {
  if (federation.page == null && federation.hitsPerPage == null) {
    return { offset: federation.offset ?? 0, limit: Math.min(federation.limit ?? 20, limits.hitsPerQuery) };
  }
  const limit = Math.min(federation.hitsPerPage ?? 20, limits.hitsPerQuery);
  const page = federation.page ?? 1;
  return { page, limit: page === 0 ? 0 : limit, offset: Math.max(0, page - 1) * limit };
}

function totals(window: Window, total: number): { [name: string]: number } {
  if (window.page === undefined) {
    return { limit: window.limit, offset: window.offset, estimatedTotalHits: total };
  }
  const totalPages = window.limit > 0 ? Math.ceil(total / window.limit) : 0;
  return { hitsPerPage: window.limit, page: window.page, totalPages, totalHits: total };
}

function searchForMerge(
  store: SearchStore,
  body: FederatedQuery,
  position: number,
  wanted: number,
  options: { limits: SearchLimits; now: () => number },
): { candidates: Candidate[]; total: number } {
  refusePerQueryOptions(body, position);
  checkIndexUid(body.indexUid);
  const query: SearchQuery = {
    ...toSearchQuery(body, options.limits),
    offset: 0,
    limit: wanted,
    showScore: true,
    now: options.now,
  };
  const result = translateErrors(body.indexUid, () => store.search(body.indexUid, query));
  const weight = body.federationOptions?.weight ?? 1;
  return {
    total: result.total,
    candidates: result.hits.map((hit) => ({
      hit,
      query: body,
      position,
      weighted: (hit.score ?? 0) * weight,
    })),
  };
}

function refusePerQueryOptions(query: FederatedQuery, position: number): void {
  const paging = (["limit", "offset", "page", "hitsPerPage"] as const).find((name) => query[name] != null);
  if (paging) {
    throw new ApiError(
      "invalid_multi_search_query_pagination",
      "Using pagination options is not allowed in federated queries.\n" +
        ` - Hint: remove \`${paging}\` from query #${position} or remove \`federation\` from the request\n` +
        " - Hint: pass `federation.limit` and `federation.offset` for pagination in federated search",
    );
  }
  if (query.facets != null) {
    throw new ApiError(
      "invalid_multi_search_query_facets",
      "Using facet options is not allowed in federated queries.\n" +
        ` - Hint: remove \`facets\` from query #${position} or remove \`federation\` from the request\n` +
        " - Hint: pass `federation.facetsByIndex` for facets in federated search",
    );
  }
  if (query.federationOptions?.remote) {
    throw new ApiError(
      "feature_not_enabled",
      "Federation over remote servers is not available. Remove `federationOptions.remote`.",
    );
  }
}

function dropRepeats(candidates: Candidate[], distinct: string | null, store: SearchStore): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ hit, query }) => {
    const value = distinct === null ? null : store.require(query.indexUid).index.document(hit.id)[distinct];
    const key = value == null ? `${query.indexUid}/${hit.id}` : `=${JSON.stringify(value)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function toFederatedHit({ hit, query, position, weighted }: Candidate): { [name: string]: unknown } {
  const json = toHitJson(hit);
  if (!query.showRankingScore) delete json["_rankingScore"];
  json["_federation"] = {
    indexUid: query.indexUid,
    queriesPosition: position,
    weightedRankingScore: weighted,
  };
  return json;
}

type Distribution = { [attribute: string]: { [value: string]: number } };
type Stats = { [attribute: string]: { min: number; max: number } };

/** Facets are counted over what the queries of an index find together; here: the first query of each index. */
function facets(
  store: SearchStore,
  federation: FederationBody,
  queries: FederatedQuery[],
  limits: SearchLimits,
): { [name: string]: unknown } {
  if (!federation.facetsByIndex) return {};
  const byIndex: { [uid: string]: { distribution: Distribution; stats: Stats } } = {};
  for (const [uid, names] of Object.entries(federation.facetsByIndex)) {
    const query = queries.find((query) => query.indexUid === uid);
    if (!query || !names) continue;
    const result = translateErrors(uid, () =>
      store.search(uid, { ...toSearchQuery(query, limits), offset: 0, limit: 0, facets: names }),
    );
    byIndex[uid] = { distribution: result.facetDistribution ?? {}, stats: result.facetStats ?? {} };
  }
  if (!federation.mergeFacets) return { facetsByIndex: byIndex };
  return mergeFacets(Object.values(byIndex), federation.mergeFacets.maxValuesPerFacet ?? 100);
}

function mergeFacets(all: { distribution: Distribution; stats: Stats }[], maximum: number) {
  const counts = new Map<string, Map<string, number>>();
  const facetStats: Stats = {};
  for (const { distribution, stats } of all) {
    for (const [attribute, values] of Object.entries(distribution)) {
      const merged = counts.get(attribute) ?? new Map<string, number>();
      counts.set(attribute, merged);
      for (const [value, count] of Object.entries(values))
        merged.set(value, (merged.get(value) ?? 0) + count);
    }
    for (const [attribute, { min, max }] of Object.entries(stats)) {
      const known = facetStats[attribute] ?? { min, max };
      facetStats[attribute] = { min: Math.min(min, known.min), max: Math.max(max, known.max) };
    }
  }
  const facetDistribution = Object.fromEntries(
    Array.from(counts, ([attribute, values]) => [
      attribute,
      Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maximum)),
    ]),
  );
  return { facetDistribution, facetStats };
}
