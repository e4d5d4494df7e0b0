/**
 * One search, from the reader's text to the page of hits:
 *
 *   parse → retrieve → admit → rank → choose a record of each section → cut the page → format
 *
 * Up to the page it is one step, because all searches share the arrays in which they add up; the rest costs as much as was
 * requested, so there it yields after every hit and stops when the work of the request is used up.
 */
import { coversPath } from "./contract/attribute-paths.ts";
import { facetSteps } from "./facets/facets.ts";
import { filterSteps } from "./filter/evaluate.ts";
import { findHits, type Found, type FoundHit } from "./hits/find-hits.ts";
import { createAttributePicker } from "./format/attribute-picker.ts";
import { createDocumentFormatter, findMatchPositions } from "./format/format-document.ts";
import type { TextMatcher } from "./format/types.ts";
import type { OpenedIndex } from "./reader/open-index.ts";
import { pageWindow } from "./page-window.ts";
import { hasWordsAroundQuotes, isAboutTheWhole, withoutQuotes } from "./query/pasted-quotes.ts";
import { runSteps, type Steps } from "./contract/steps.ts";
import { createTextMatcher } from "./text-matcher.ts";
import { type SearchStage, timed } from "./contract/trace.ts";
import { VECTORS } from "./contract/hidden-attributes.ts";
import type { DocumentSet, Hit, SearchDocument, SearchQuery, SearchResult } from "./contract/types.ts";
import { createWork, type Work, WorkOf } from "./contract/work.ts";

/**
 * Throws `SearchError` for a filter, sort, facet or distinct attribute that the index's settings do not allow.
 * Everything else that a reader may type is answered.
 */
export function search(index: OpenedIndex, query: SearchQuery): SearchResult {
  return runSteps(searchSteps(index, query));
}

/** The same in steps, between which other searches of the same index may run. */
export function* searchSteps(index: OpenedIndex, query: SearchQuery): Steps<SearchResult> {
  const page = yield* findSteps(index, query);
  const { work } = page;
  const facets =
    page.matching && query.facets
      ? yield* timedSteps(query, "facet distribution", facetSteps(index, page.matching, query.facets, work))
      : null;
  const hits: Hit[] = [];
  for (const found of page.hits) {
    if (work.isOver()) break;
    const hit = timed(query, "format", () => page.format(found));
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

/** A page of hits without their contents. */
export interface FoundPage {
  hits: readonly FoundHit[];
  total: number;
  isTotalExact: boolean;
  isDegraded: boolean;
  /** One document of every match, where facets are to be counted. */
  matching: Uint32Array | null;
  /** Metres from the point of the sort. */
  distance?: (document: number) => number | null;
  /** Makes the shown form of a hit. */
  format: (hit: FoundHit) => Hit;
  work: Work;
}

/** The first half of a search, for callers that show only some of what several searches find. Throws `SearchError`. */
export function* findSteps(index: OpenedIndex, query: SearchQuery): Steps<FoundPage> {
  const { maxTotalHits } = index.settings;
  const work = query.work ?? createWork();
  const filter = yield* timedSteps(query, "evaluate filter", filterSteps(index, query.filter, work));
  const { offset, limit, isPaged } = pageWindow(query, maxTotalHits);
  const found = findSomeHits(index, { ...query, work }, filter, offset + limit);
  const page: FoundPage = {
    hits: found.hits.slice(offset, offset + limit),
    total: Math.min(found.total, maxTotalHits),
    isTotalExact: isPaged,
    isDegraded: found.isDegraded,
    // Copied, because the next search overwrites what this one has found.
    matching: query.facets ? Uint32Array.from(found.matching()) : null,
    ...(found.distance && { distance: found.distance }),
    format: createHitFormatter(index, query, found, work),
    work,
  };
  yield;
  return page;
}

/** Does not count the time of other searches in between. */
function* timedSteps<T>(query: SearchQuery, stage: SearchStage, steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = timed(query, stage, () => steps.next());
    if (step.done) return step.value;
    yield;
  }
}

/** Documentation answers a pasted error message as a whole, if its quotes are found and the rest is not. */
function findSomeHits(
  index: OpenedIndex,
  query: SearchQuery,
  filter: DocumentSet | null,
  count: number,
): Found {
  const found = findHits(index, query, filter, count);
  if (!index.settings.hierarchy || !hasWordsAroundQuotes(query.q)) return found;
  if (isAboutTheWhole(found.candidates, found.hits[0]?.unit)) return found;
  return findHits(index, { ...query, q: withoutQuotes(query.q) }, filter, count);
}

/** For hits without anything to mark. */
const NO_MATCHES: TextMatcher = { tokenize: () => [], fold: (text) => text, matchAt: () => null };

/** Turns found documents into hits: the requested attributes, highlighted copies, positions and scores. */
function createHitFormatter(index: OpenedIndex, query: SearchQuery, found: Found, work: Work) {
  const displayed = index.settings.displayedAttributes;
  const retrieve = query.retrieve ?? ["*"];
  const isFormatted = query.highlight !== undefined || query.crop !== undefined;
  const isWhole = isFormatted || query.showMatchesPosition === true;
  const matcher = isWhole ? createTextMatcher(index, found.candidates, found.phrases) : NO_MATCHES;
  const request = {
    displayed,
    retrieve,
    ...(query.highlight && { highlight: query.highlight }),
    ...(query.crop && { crop: query.crop }),
  };
  const format = createDocumentFormatter(request, matcher, work);
  const pickDisplayed = createAttributePicker(displayed);
  const pickRetrieved = createAttributePicker(retrieve);
  const isRetrieved = rememberAnswers(
    (name) =>
      name !== VECTORS && retrieve.some((path) => coversPath([path], name) || path.startsWith(`${name}.`)),
  );
  return (one: FoundHit): Hit => {
    work.add(WorkOf.document);
    const document = isWhole
      ? withoutVectors(index.sharedDocument(one.document))
      : index.readDocument(one.document, isRetrieved);
    const distance = found.distance?.(one.document);
    return {
      id: one.document,
      document: pickRetrieved(pickDisplayed(document)),
      ...(isFormatted && { formatted: format(document) }),
      ...(query.showMatchesPosition && {
        matches: findMatchPositions(document, displayed, matcher, work),
      }),
      ...(query.showScore && { score: one.score }),
      ...(query.showScoreDetails && { scoreDetails: one.explain() }),
      ...(distance !== null && distance !== undefined && { geoDistance: distance }),
    };
  };
}

function withoutVectors(document: SearchDocument): SearchDocument {
  if (!Object.hasOwn(document, VECTORS)) return document;
  const { [VECTORS]: _, ...shown } = document;
  return shown;
}

/** All documents have the same names, so each is checked only once. */
function rememberAnswers(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    answers.set(name, answer);
    return answer;
  };
}
