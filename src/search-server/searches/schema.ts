/** The bodies of the search routes: what is accepted, and the resulting types. */
import * as z from "zod";
import {
  closedObject,
  count,
  decimal,
  filter,
  flag,
  list,
  name,
  nullableSearchNames,
  record,
  searchNames,
  tag,
  text,
} from "../protocol/fields.ts";
import { MAX_VECTOR_LENGTH } from "../protocol/limits.ts";
import { snakeCase, type ValidationContext } from "../protocol/validate.ts";

/** @throws by its message when it is not from 0 to 1 */
export const betweenZeroAndOne = (field: string) => {
  const message = `the value of \`${field}\` is invalid, expected a float between \`0.0\` and \`1.0\`.`;
  return decimal.min(0, message).max(1, message);
};

const share = betweenZeroAndOne("semanticRatio");

const searchShape = {
  q: text.nullish(),
  vector: list(decimal, MAX_VECTOR_LENGTH).nullish(),
  media: record(z.unknown()).nullish(),
  hybrid: closedObject({ embedder: name, semanticRatio: share.nullish() }).nullish(),
  offset: count.optional(),
  limit: count.optional(),
  page: count.nullish(),
  hitsPerPage: count.nullish(),
  attributesToRetrieve: nullableSearchNames,
  retrieveVectors: flag.optional(),
  attributesToCrop: nullableSearchNames,
  cropLength: count.optional(),
  attributesToHighlight: nullableSearchNames,
  showMatchesPosition: flag.optional(),
  showRankingScore: flag.optional(),
  showRankingScoreDetails: flag.optional(),
  showPerformanceDetails: flag.optional(),
  filter,
  sort: nullableSearchNames,
  distinct: name.nullish(),
  facets: nullableSearchNames,
  highlightPreTag: tag.optional(),
  highlightPostTag: tag.optional(),
  cropMarker: tag.optional(),
  matchingStrategy: z.enum(["last", "all", "frequency"], "a string").optional(),
  attributesToSearchOn: nullableSearchNames,
  rankingScoreThreshold: betweenZeroAndOne("rankingScoreThreshold").nullish(),
  locales: nullableSearchNames,
};

export const searchSchema = closedObject(searchShape);

export const facetSearchSchema = closedObject({
  facetName: name,
  facetQuery: text.nullish(),
  exhaustiveFacetCount: flag.nullish(),
  ...searchShape,
});

const federationOptions = closedObject({
  weight: decimal.min(0, "the value of `weight` is invalid, expected a positive float (>= 0.0).").optional(),
  remote: name.nullish(),
  queryPosition: count.nullish(),
}).nullish();

const federation = closedObject({
  limit: count.optional(),
  offset: count.optional(),
  page: count.nullish(),
  hitsPerPage: count.nullish(),
  distinct: name.nullish(),
  facetsByIndex: record(searchNames.nullable()).optional(),
  mergeFacets: closedObject({ maxValuesPerFacet: count.nullish() }).nullish(),
  showPerformanceDetails: flag.optional(),
}).nullish();

export const multiSearchSchema = closedObject({
  federation,
  /** `refuseTooManyQueries` has counted them. */
  queries: z.array(closedObject({ indexUid: name, ...searchShape, federationOptions }), "an array"),
});

export type SearchBody = z.infer<typeof searchSchema>;
export type FacetSearchBody = z.infer<typeof facetSearchSchema>;
export type MultiSearchBody = z.infer<typeof multiSearchSchema>;
export type FederationBody = NonNullable<MultiSearchBody["federation"]>;

const FACET_CODES = new Map(
  Object.entries({
    facetName: "invalid_facet_search_facet_name",
    facetQuery: "invalid_facet_search_query",
    exhaustiveFacetCount: "invalid_facet_search_exhaustive_facet_count",
  }),
);

const MULTI_CODES = new Map(
  Object.entries({
    indexUid: "invalid_index_uid",
    queries: "bad_request",
    federation: "invalid_multi_search_federation",
    federationOptions: "invalid_multi_search_query_federation",
    weight: "invalid_multi_search_weight",
    facetsByIndex: "invalid_multi_search_facets_by_index",
    mergeFacets: "invalid_multi_search_merge_facets",
    maxValuesPerFacet: "invalid_multi_search_max_values_per_facet",
  }),
);

/** The outermost named field under `from` decides: `.queries[0].filter[1][0]` is an error in the filter. */
function fieldOf(path: readonly PropertyKey[], from: number): string {
  const field = path.slice(from).find((key) => typeof key === "string");
  return typeof field === "string" ? field : "";
}

function searchCode(field: string, path: readonly PropertyKey[] = []): string {
  const last = path.at(-1);
  if (field === "hybrid" && (last === "embedder" || last === "semanticRatio"))
    return `invalid_search_${snakeCase(last)}`;
  return field === "" ? "bad_request" : `invalid_search_${snakeCase(field)}`;
}

export const searchContext: ValidationContext = { codeOf: (path) => searchCode(fieldOf(path, 0), path) };

export const facetSearchContext: ValidationContext = {
  codeOf: (path) => FACET_CODES.get(fieldOf(path, 0)) ?? searchCode(fieldOf(path, 0), path),
  missingCodeOf: () => "missing_facet_search_facet_name",
};

export const multiSearchContext: ValidationContext = {
  codeOf: (path) => {
    // The client's own keys do not count: an index may be called `queries`.
    const isNamed = path.at(-1) === "facetsByIndex" || !path.includes("facetsByIndex");
    const last = isNamed ? path.findLast((key) => typeof key === "string") : "facetsByIndex";
    const named = typeof last === "string" ? MULTI_CODES.get(last) : undefined;
    if (path[0] === "federation" && path[1] === "showPerformanceDetails")
      return "invalid_multi_search_query_show_performance_details";
    if (path[0] === "federation") return named ?? `invalid_multi_search_${snakeCase(fieldOf(path, 1))}`;
    return named ?? searchCode(fieldOf(path, 1), path);
  },
  missingCodeOf: (path) => (path.at(-1) === "indexUid" ? "missing_index_uid" : "bad_request"),
};
