import { facetValueSteps } from "./facets.ts";
import { filterSteps } from "../filter/evaluate.ts";
import { findHits } from "../hits/find-hits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { runSteps, type Steps } from "../contract/steps.ts";
import type { FacetHits, FacetQuery } from "../contract/types.ts";
import { createWork } from "../contract/work.ts";

/** Values of a facet among the documents that match the query and the filter. Throws `SearchError`. */
export function searchFacet(index: OpenedIndex, query: FacetQuery): FacetHits {
  return runSteps(facetSearchSteps(index, query));
}

/** The same in steps. */
export function* facetSearchSteps(index: OpenedIndex, query: FacetQuery): Steps<FacetHits> {
  const work = query.work ?? createWork();
  const filter = yield* filterSteps(index, query.filter, work);
  // Copied, because the next search overwrites what this one has found.
  const ids = Uint32Array.from(findHits(index, { ...query, work }, filter, 0).matching());
  return yield* facetValueSteps(index, ids, query, work);
}
