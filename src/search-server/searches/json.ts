/** Meilisearch's JSON ↔ the engine's types; for searches, the only place where the two vocabularies meet. */
import type { FacetQuery, Hit, SearchQuery, SearchResult } from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import type { FacetSearchBody, SearchBody } from "./schema.ts";

const DEFAULT_HITS = 20;
const DEFAULT_CROP_WORDS = 10;

/** One query of a body, checked against the limits. */
export function toSearchQuery(body: SearchBody, limits: SearchLimits): SearchQuery {
  refuseMedia(body);
  const query: SearchQuery = { q: cutQuery(body.q ?? "", limits), ...windowOf(body) };
  if (body.filter != null) query.filter = checkFilterLength(body.filter, limits);
  if (body.facets != null) query.facets = checkFacets(body.facets, limits);
  if (body.sort != null) query.sort = once(body.sort);
  if (body.distinct != null) query.distinct = body.distinct;
  if (body.attributesToRetrieve != null) query.retrieve = once(body.attributesToRetrieve);
  if (body.attributesToSearchOn != null) query.searchOn = once(body.attributesToSearchOn);
  if (body.matchingStrategy) query.matching = body.matchingStrategy;
  if (body.locales != null) query.locales = once(body.locales);
  if (body.rankingScoreThreshold != null) query.minScore = body.rankingScoreThreshold;
  if (body.showMatchesPosition) query.showMatchesPosition = true;
  if (body.showRankingScore) query.showScore = true;
  if (body.showRankingScoreDetails) query.showScoreDetails = true;
  if (body.attributesToHighlight?.length) {
    query.highlight = {
      attributes: once(body.attributesToHighlight),
      preTag: body.highlightPreTag ?? "<em>",
      postTag: body.highlightPostTag ?? "</em>",
    };
  }
  if (body.attributesToCrop?.length) {
    query.crop = {
      attributes: once(body.attributesToCrop),
      length: body.cropLength ?? DEFAULT_CROP_WORDS,
      marker: body.cropMarker ?? "…",
    };
  }
  return query;
}

/** Removes duplicate names, which would only cost twice the work. */
function once(names: string[]): string[] {
  return names.length < 2 ? names : [...new Set(names)];
}

/** Clients send the whole search along; only the part that decides which documents match is used here. */
export function toFacetQuery(body: FacetSearchBody, limits: SearchLimits): FacetQuery {
  const { q, filter, matching, searchOn, minScore, locales } = toSearchQuery(body, limits);
  return {
    q,
    ...(filter !== undefined && { filter }),
    ...(matching && { matching }),
    ...(searchOn && { searchOn }),
    ...(minScore !== undefined && { minScore }),
    ...(locales && { locales }),
    facet: body.facetName,
    facetQuery: body.facetQuery ?? "",
    ...(body.exhaustiveFacetCount && { exhaustiveCount: true }),
  };
}

/** The index decides how far readers can reach: see `maxTotalHits`. */
function windowOf(body: SearchBody): Partial<SearchQuery> {
  if (body.page != null || body.hitsPerPage != null) {
    return { page: body.page ?? 1, hitsPerPage: body.hitsPerPage ?? DEFAULT_HITS };
  }
  return { offset: body.offset ?? 0, limit: body.limit ?? DEFAULT_HITS };
}

/** Cuts between characters, and after the last word that is read. */
function cutQuery(q: string, limits: SearchLimits): string {
  let cut = q;
  if (cut.length > limits.queryLength) {
    const splitsPair = /[\ud800-\udbff]/.test(cut.charAt(limits.queryLength - 1));
    cut = cut.slice(0, splitsPair ? limits.queryLength - 1 : limits.queryLength);
  }
  // A query of n words has at least n - 1 spaces: most are below the limit without being split.
  if (cut.length < limits.queryWords * 2) return cut;
  const words = cut.trim().split(/\s+/);
  return words.length > limits.queryWords ? words.slice(0, limits.queryWords).join(" ") : cut;
}

export function checkFilterLength(filter: NonNullable<SearchBody["filter"]>, limits: SearchLimits) {
  const length = typeof filter === "string" ? filter.length : lengthOf(filter);
  if (length <= limits.filterLength) return filter;
  throw new ApiError(
    "invalid_search_filter",
    `The filter has ${length} characters; this server accepts at most ${limits.filterLength}.`,
  );
}

function lengthOf(filter: readonly (string | readonly string[])[]): number {
  return filter.flat().reduce((sum, text) => sum + text.length, 0);
}

function checkFacets(facets: string[], limits: SearchLimits): string[] {
  if (facets.length <= limits.facetsPerQuery) return once(facets);
  throw new ApiError(
    "invalid_search_facets",
    `${facets.length} facets were requested; this server accepts at most ${limits.facetsPerQuery} per query.`,
  );
}

/** @throws ApiError for what only a model could answer */
function refuseMedia(body: SearchBody): void {
  if (body.media == null) return;
  throw new ApiError(
    "feature_not_enabled",
    "`media` requests a search by image or sound, which this server does not support. Remove `media`, or send its `vector`.",
  );
}

export interface SearchJson {
  indexUid?: string;
  hits: { [name: string]: unknown }[];
  query: string;
  processingTimeMs: number;
  [name: string]: unknown;
}

/**
 * The answer to one query. `ms` is the time that the engine took, `maxTotalHits` how many hits readers can
 * reach: as in Meilisearch, a greater `limit` is repeated as requested, a greater `offset` is not.
 */
export function toSearchJson(
  result: SearchResult,
  {
    body,
    query,
    ms,
    maxTotalHits,
  }: { body: SearchBody; query: SearchQuery; ms: number; maxTotalHits: number },
): SearchJson {
  const json: SearchJson = {
    hits: result.hits.map((hit) => toHitJson(hit)),
    query: body.q ?? "",
    processingTimeMs: Math.floor(ms),
  };
  if (query.hitsPerPage === undefined) {
    json["limit"] = query.limit;
    json["offset"] = Math.min(query.offset ?? 0, maxTotalHits);
    json["estimatedTotalHits"] = result.total;
  } else {
    json["hitsPerPage"] = query.hitsPerPage;
    json["page"] = query.page;
    json["totalPages"] = query.hitsPerPage > 0 ? Math.ceil(result.total / query.hitsPerPage) : 0;
    json["totalHits"] = result.total;
  }
  if (query.facets) {
    json["facetDistribution"] = result.facetDistribution ?? {};
    json["facetStats"] = result.facetStats ?? {};
  }
  if (result.isDegraded) json["degraded"] = true;
  return json;
}

export function toHitJson(hit: Hit): { [name: string]: unknown } {
  // A copy, because the engine's document may be shared between searches.
  const json: { [name: string]: unknown } = { ...hit.document };
  if (hit.formatted) json["_formatted"] = hit.formatted;
  if (hit.matches) json["_matchesPosition"] = hit.matches;
  if (hit.geoDistance !== undefined) json["_geoDistance"] = Math.round(hit.geoDistance);
  if (hit.score !== undefined) json["_rankingScore"] = hit.score;
  if (hit.scoreDetails) json["_rankingScoreDetails"] = hit.scoreDetails;
  return json;
}
