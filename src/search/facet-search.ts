import { findFacetValues } from "./facets.ts";
import { evaluateFilter } from "./filter/evaluate.ts";
import { findHits } from "./find-hits.ts";
import type { OpenedIndex } from "./open-index.ts";
import type { FacetHits, FacetQuery } from "./types.ts";

/** Values of a facet among the documents that match the query and the filter. Throws `SearchError`. */
export function searchFacet(index: OpenedIndex, query: FacetQuery): FacetHits {
  const found = findHits(index, query, evaluateFilter(index, query.filter), 0);
  return findFacetValues(index, found.matching(), query);
}
