/** From a page of hits to the result of a search, as the engine makes it of its own pages; and with the documents' vectors. */
import {
  coversPath,
  facetSteps,
  type FoundPage,
  type Hit,
  type Json,
  type OpenedIndex,
  type SearchDocument,
  type SearchQuery,
  type SearchResult,
  type Steps,
  VECTORS,
} from "#search/index.ts";
import { shortest, storedVectors } from "../vectors/stored-vectors.ts";

export function* resultSteps(
  index: OpenedIndex,
  query: SearchQuery,
  page: FoundPage,
  shape: ((hit: Hit) => Hit) | null,
): Steps<SearchResult> {
  const { work } = page;
  const facets =
    page.matching && query.facets ? yield* facetSteps(index, page.matching, query.facets, work) : null;
  const hits: Hit[] = [];
  for (const found of page.hits) {
    if (work.isOver()) break;
    const plain = page.format(found);
    const hit = shape ? shape(plain) : plain;
    if (work.hasRoomFor?.(hit) === false) break;
    hits.push(hit);
    yield;
  }
  return {
    hits,
    total: page.total,
    isTotalExact: page.isTotalExact,
    ...facets,
    isDegraded: page.isDegraded || hits.length < page.hits.length,
  };
}

/** `_vectors` as an answer has them; nothing if the settings do not display them. */
export function vectorsOf(index: OpenedIndex, document: number): SearchDocument {
  if (!coversPath(index.settings.displayedAttributes, VECTORS)) return {};
  const stored = storedVectors(index.readDocument(document, (name) => name === VECTORS));
  const shown = Array.from(stored, ([embedder, { embeddings, regenerate }]): [string, Json] => [
    embedder,
    { embeddings: embeddings.map((vector) => Array.from(vector, shortest)), regenerate },
  ]);
  return { [VECTORS]: Object.fromEntries(shown) };
}
