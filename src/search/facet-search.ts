import { findFacetValues } from "./facets.ts";
import type { OpenedIndex } from "./open-index.ts";
import { findMatching } from "./search.ts";
import type { FacetHits, FacetQuery } from "./types.ts";

/** Values of a facet among the documents that match the query and the filter. Throws `SearchError`. */
export function searchFacet(index: OpenedIndex, query: FacetQuery): FacetHits {
  return findFacetValues(index, findMatching(index, query), query);
}
