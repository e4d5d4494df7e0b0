/**
 * The number of results for each filter; requested when a reader opens the filters.
 *
 *   sections   one query for the engine's facet distribution, without the section filter: another section would widen it
 *   kinds      a query each, for its total. The engine shows one record of each section of a page, a heading rather than its
 *              code, so the distribution would promise 2 results where the filter finds 174 (decision 038).
 */
import type { SearchAnswer, SearchRequest } from "../../search/protocol.ts";
import { ATTRIBUTES, filterOf, isRefined, KINDS, type Refinement } from "../../search/refinement.ts";

export interface FilterCounts {
  /** The section with the most results first. */
  section: ReadonlyMap<string, number>;
  /** null if only the sections were counted. */
  kind: ReadonlyMap<string, number | null>;
}

const KIND_NAMES = Object.keys(KINDS);

/** A query for the sections; with a filter, also an unfiltered query, which counts as the search. */
export function sectionRequests(indexUid: string, query: string, refinement: Refinement): SearchRequest[] {
  const request = { indexUid, query, hitsPerPage: 0 };
  const facets = [ATTRIBUTES.section];
  return [
    { ...request, facets, filter: filterOf({ ...refinement, section: [] }) },
    ...(isRefined(refinement) ? [request] : []),
  ];
}

/** The same, preceded by a query for each kind. */
export function countRequests(indexUid: string, query: string, refinement: Refinement): SearchRequest[] {
  const kinds = KIND_NAMES.map((kind) => ({
    indexUid,
    query,
    hitsPerPage: 0,
    filter: filterOf({ ...refinement, kind: [kind] }),
  }));
  return [...kinds, ...sectionRequests(indexUid, query, refinement)];
}

/** @param answers to `countRequests` or `sectionRequests`, in their order. */
export function readCounts(answers: SearchAnswer[]): FilterCounts {
  const facet = answers.find(({ facetDistribution }) => facetDistribution)?.facetDistribution;
  const sections = Object.entries(facet?.[ATTRIBUTES.section] ?? {});
  const isKindCounted = answers.length > KIND_NAMES.length;
  return {
    section: new Map(sections.sort(([a, m], [b, n]) => n - m || a.localeCompare(b))),
    kind: new Map(
      KIND_NAMES.map((kind, at) => {
        const answer = isKindCounted ? answers[at] : undefined;
        return [kind, answer ? (answer.totalHits ?? answer.estimatedTotalHits ?? 0) : null];
      }),
    ),
  };
}
