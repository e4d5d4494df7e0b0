/** The engine's only entrance: other rooms import nothing else from this folder. */
import type { OpenedIndex } from "./reader/open-index.ts";
import type { SearchDocument } from "./contract/types.ts";

export { buildIndex } from "./indexing/build-index.ts";
export { defaultSettings } from "./contract/defaults.ts";
export { facetSearchSteps, searchFacet } from "./facets/facet-search.ts";
export { type FacetCounts, facetOrderOf, facetSteps } from "./facets/facets.ts";
export { FORMAT_VERSION, formatOf } from "./file/container.ts";
export { readFormerIndex } from "./file/former-formats.ts";
export { lookupOf } from "./filter/column-lookup.ts";
export { evaluateFilter, filterSteps } from "./filter/evaluate.ts";
export { findHits, type FoundHit } from "./hits/find-hits.ts";
export { VECTORS } from "./contract/hidden-attributes.ts";
export type { MeantWord, Near, ReadMeaning } from "./contract/meaning.ts";
export { coversPath } from "./contract/attribute-paths.ts";
export { createAttributePicker } from "./format/attribute-picker.ts";
export { MAX_QUERY_CHARACTERS, MAX_WORK } from "./contract/limits.ts";
export { type Inflect, openIndex, type OpenedIndex } from "./reader/open-index.ts";
export { getOwn, setOwn } from "./contract/own-properties.ts";
export { type FoundPage, findSteps, search, searchSteps } from "./search.ts";
export { compileSort } from "./sort/compile-sort.ts";
export { compileDistinct, type DistinctKey, dropRepeats } from "./sort/distinct.ts";
export { pageWindow } from "./page-window.ts";
export { selectHighest } from "./contract/select.ts";
export { runSteps, type Steps } from "./contract/steps.ts";
export { inflectionsOf } from "./text/inflections.ts";
export { germanForms } from "./text/german-forms.ts";
export { stopWordsOf } from "./text/stop-words.ts";
export type { SearchStage, Trace } from "./contract/trace.ts";
export * from "./contract/types.ts";
export { createWork, type Work, WorkOf } from "./contract/work.ts";

/** The document with a primary key; null if there is none. */
export function getDocument(index: OpenedIndex, primaryKey: string | number): SearchDocument | null {
  const id = index.findDocument(primaryKey);
  return id < 0 ? null : index.document(id);
}

/** Every document, in the order of the index. */
export function* documents(index: OpenedIndex): Generator<SearchDocument> {
  for (let id = 0; id < index.documentCount; id++) yield index.document(id);
}
