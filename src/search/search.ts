/**
 * One search, from the reader's text to the page of hits:
 *
 *   parse → retrieve → admit → rank → choose a record of each section → cut the page → format
 */
import { evaluateFilter } from "./filter/evaluate.ts";
import { countFacets } from "./facets.ts";
import { findHits, type FoundHit } from "./find-hits.ts";
import { createDocumentFormatter, findMatchPositions, pickAttributes } from "./format/format-document.ts";
import type { TextMatcher } from "./format/types.ts";
import { coversPath } from "./file/attribute-values.ts";
import type { OpenedIndex } from "./open-index.ts";
import { pageWindow } from "./page-window.ts";
import { hasWordsAroundQuotes, isAboutTheWhole, withoutQuotes } from "./query/pasted-quotes.ts";
import { createTextMatcher } from "./text-matcher.ts";
import type { DocumentSet, Hit, SearchQuery, SearchResult } from "./types.ts";

/**
 * Throws `SearchError` for a filter, sort, facet or distinct attribute that the index's settings do not allow.
 * Everything else that a reader may type is answered.
 */
export function search(index: OpenedIndex, query: SearchQuery): SearchResult {
  const filter = evaluateFilter(index, query.filter);
  const window = pageWindow(query, index.settings.maxTotalHits);
  const found = findSomeHits(index, query, filter, window.offset + window.limit);
  const format = hitFormatter(index, query, found);
  const hits = found.hits.slice(window.offset, window.offset + window.limit).map(format);
  return {
    hits,
    total: Math.min(found.total, index.settings.maxTotalHits),
    isTotalExact: window.isPaged,
    ...(query.facets && countFacets(index, found.matching(), query.facets)),
    isDegraded: found.isDegraded,
  };
}

/** Documentation answers a pasted error message as a whole, if its quotes are found and the rest is not. */
function findSomeHits(index: OpenedIndex, query: SearchQuery, filter: DocumentSet | null, count: number) {
  const found = findHits(index, query, filter, count);
  if (!index.settings.hierarchy || !hasWordsAroundQuotes(query.q)) return found;
  if (isAboutTheWhole(found.candidates, found.hits[0]?.unit)) return found;
  return findHits(index, { ...query, q: withoutQuotes(query.q) }, filter, count);
}

/** Where nothing is to be marked. */
const NO_MATCHES: TextMatcher = { tokenize: () => [], fold: (text) => text, matchAt: () => null };

/** Turns what was found into hits: the asked attributes, highlighted copies, positions and scores. */
function hitFormatter(index: OpenedIndex, query: SearchQuery, found: ReturnType<typeof findHits>) {
  const displayed = index.settings.displayedAttributes;
  const retrieve = query.retrieve ?? ["*"];
  const isFormatted = query.highlight !== undefined || query.crop !== undefined;
  const isWhole = isFormatted || query.showMatchesPosition === true;
  const matcher = isWhole ? createTextMatcher(index, found.candidates) : NO_MATCHES;
  const format = createDocumentFormatter(
    {
      displayed,
      retrieve,
      ...(query.highlight && { highlight: query.highlight }),
      ...(query.crop && { crop: query.crop }),
    },
    matcher,
  );
  const isRetrieved = (name: string) =>
    retrieve.some((path) => coversPath([path], name) || path.startsWith(`${name}.`));
  return (one: FoundHit): Hit => {
    const document = isWhole
      ? index.sharedDocument(one.document)
      : index.readDocument(one.document, isRetrieved);
    const distance = found.distance?.(one.document);
    return {
      id: one.document,
      document: pickAttributes(pickAttributes(document, displayed), retrieve),
      ...(isFormatted && { formatted: format(document) }),
      ...(query.showMatchesPosition && { matches: findMatchPositions(document, displayed, matcher) }),
      ...(query.showScore && { score: one.score }),
      ...(query.showScoreDetails && { scoreDetails: one.explain() }),
      ...(distance !== null && distance !== undefined && { geoDistance: distance }),
    };
  };
}
