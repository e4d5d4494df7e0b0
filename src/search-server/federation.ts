/**
 * Federated search: several queries, one list. Each hit's ranking score is multiplied with its query's weight; the
 * lists are merged by that and by what is sorted by. The same document found by two queries stays once, where it first
 * stands.
 */
import type { SearchQuery } from "#search/types.ts";
import { refuseIfLate } from "./deadline.ts";
import { inQuery, translateErrors } from "./engine-errors.ts";
import { ApiError } from "./errors.ts";
import { federatedFacets } from "./federation-facets.ts";
import { type FederatedHit, mergeByRank, sortKeyOf } from "./federation-order.ts";
import { checkIndexUid } from "./index-uid.ts";
import type { SearchLimits } from "./limits.ts";
import { toHitJson, toSearchQuery } from "./search-json.ts";
import type { FederationBody, MultiSearchBody } from "./search-schema.ts";
import type { SearchStore } from "./store.ts";

export type FederatedQuery = MultiSearchBody["queries"][number];

export interface FederatedJson {
  hits: { [name: string]: unknown }[];
  processingTimeMs: number;
  [name: string]: unknown;
}

interface Candidate extends FederatedHit {
  query: FederatedQuery;
  position: number;
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
  const window = windowOf(federation);
  const end = Math.min(window.offset + window.limit, options.limits.federatedHits);
  const found = queries.map((query, position) =>
    inQuery(position, () => {
      refuseIfLate(started, options);
      return searchForMerge(store, query, position, end, options);
    }),
  );
  const candidates = mergeByRank(found.map((one) => one.candidates));
  const distinct = dropRepeats(candidates, federation.distinct ?? null, store);
  const total = found.reduce((sum, one) => sum + one.total, 0) - (candidates.length - distinct.length);
  return {
    hits: distinct.slice(window.offset, end).map(toFederatedHit),
    processingTimeMs: Math.round(options.now() - started),
    ...totals(window, total),
    ...federatedFacets(store, federation, queries, options.limits),
  };
}

function windowOf(federation: FederationBody): Window {
  if (federation.page == null && federation.hitsPerPage == null) {
    return { offset: federation.offset ?? 0, limit: federation.limit ?? 20 };
  }
  const limit = federation.hitsPerPage ?? 20;
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
  const { index } = store.require(body.indexUid);
  const result = translateErrors(body.indexUid, () => store.search(body.indexUid, query));
  const weight = body.federationOptions?.weight ?? 1;
  const keyOf = sortKeyOf(index, query);
  return {
    total: result.total,
    candidates: result.hits.map((hit) => ({
      hit,
      query: body,
      position: body.federationOptions?.queryPosition ?? position,
      weighted: (hit.score ?? 0) * weight,
      sort: keyOf?.(hit) ?? null,
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
  if (query.federationOptions?.remote != null) {
    throw new ApiError(
      "feature_not_enabled",
      "Federation over remote servers is not available: this server has no `network`. Remove `federationOptions.remote`.",
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
