/**
 * Meilisearch's search protocol as this site uses it: request bodies, and how a search becomes a query. Key
 * order and markers match instant-meilisearch 0.31.3 (its `search-params-adapter`), so that any server that
 * works with that client works with this one. Both server and browser build their bodies here.
 *
 *   { indexUid: "docs", query: "cache" }
 *     → {"indexUid":"docs","q":"cache","attributesToHighlight":["*"],"highlightPreTag":"__ais-highlight__",
 *        "highlightPostTag":"__/ais-highlight__","limit":21,"offset":0}
 */

export const HIGHLIGHT_PRE_TAG = "__ais-highlight__";
export const HIGHLIGHT_POST_TAG = "__/ais-highlight__";
export const DEFAULT_HITS_PER_PAGE = 20;
/** In UTF-16 units. Longer queries are cut: the engine reads no further. */
export const MAX_QUERY_LENGTH = 512;

/** A filter expression; nested arrays are AND outside, OR inside. */
export type SearchFilter = (string | string[])[];

/** A search as the caller asks for it. Pages count from 0. */
export interface SearchRequest {
  indexUid: string;
  query: string;
  page?: number;
  hitsPerPage?: number;
  facets?: string[];
  attributesToCrop?: string[];
  cropLength?: number;
  cropMarker?: string;
  filter?: string | SearchFilter | undefined;
  attributesToRetrieve?: string[];
  attributesToHighlight?: string[];
  sort?: string[];
}

/** One query of a /multi-search body. */
export interface SearchQueryBody {
  indexUid: string;
  q?: string;
  facets?: string[];
  attributesToCrop?: string[];
  cropLength?: number;
  cropMarker?: string;
  filter?: string | SearchFilter;
  attributesToRetrieve?: string[];
  attributesToHighlight?: string[];
  highlightPreTag?: string;
  highlightPostTag?: string;
  limit?: number;
  offset?: number;
  sort?: string[];
}

export interface SearchBody {
  queries: SearchQueryBody[];
}

/** A record of the index `docs`; any text may be absent or the literal "null". */
export interface DocsHit {
  objectID: string;
  /** Absolute. */
  url: string;
  hierarchy_lvl0?: string | null;
  hierarchy_lvl1?: string | null;
  hierarchy_lvl2?: string | null;
  hierarchy_lvl3?: string | null;
  hierarchy_lvl4?: string | null;
  content?: string | null;
  /** The type of the record: "code" and "row" are shown in their own way; see `SearchRecord`. */
  type?: unknown;
  columns?: unknown;
  summary?: string | null;
  /** The same attributes, with highlight tags around the matches. */
  _formatted?: { [attribute: string]: unknown };
  _geo?: { lat: number; lng: number };
}

export interface SearchAnswer {
  indexUid: string;
  query: string;
  hits: DocsHit[];
  processingTimeMs: number;
  /** The provider's name for this answer in click analytics. */
  queryID?: string;
  limit?: number;
  offset?: number;
  estimatedTotalHits?: number;
  totalHits?: number;
  totalPages?: number;
  facetDistribution?: { [facet: string]: { [value: string]: number } };
  facetStats?: { [facet: string]: { min: number; max: number } };
}

export interface SearchAnswers {
  results: SearchAnswer[];
}

export interface FacetAnswer {
  facetHits: { value: string; count: number }[];
  facetQuery?: string | null;
  processingTimeMs: number;
}

/** Searches that the server has answered, by index: `serverState.initialResults` of the docs layout. */
export interface InitialResults {
  [indexUid: string]: { query: SearchQueryBody; answer: SearchAnswer };
}

interface Pagination {
  limit: number;
  offset: number;
}

/** Asks for one hit more than a page shows: it is not shown, but proves that there is another page. */
function pagination(request: SearchRequest): Pagination {
  const size = request.hitsPerPage ?? DEFAULT_HITS_PER_PAGE;
  return { limit: size === 0 ? 0 : size + 1, offset: (request.page ?? 0) * size };
}

/**
 * The query that asks for results. With `placeholderSearch` off, an empty query without a filter asks for no
 * hits. Optional parameters that are absent are left out of the JSON.
 */
export function searchQuery(request: SearchRequest, placeholderSearch = true): SearchQueryBody {
  const isPlaceholder = request.query === "" && !request.filter?.length;
  return {
    indexUid: request.indexUid,
    q: request.query,
    facets: request.facets,
    attributesToCrop: request.attributesToCrop,
    cropLength: request.cropLength,
    cropMarker: request.cropMarker,
    filter: request.filter,
    attributesToRetrieve: request.attributesToRetrieve,
    attributesToHighlight: request.attributesToHighlight ?? ["*"],
    highlightPreTag: HIGHLIGHT_PRE_TAG,
    highlightPostTag: HIGHLIGHT_POST_TAG,
    ...(isPlaceholder && !placeholderSearch ? { limit: 0, offset: 0 } : pagination(request)),
    sort: request.sort?.length ? request.sort : undefined,
  };
}

/** Fetches an index's facets, without text or filter; sent once per index, before its first search. */
export function facetsOnlyQuery(request: SearchRequest): SearchQueryBody {
  return { indexUid: request.indexUid, facets: request.facets, ...pagination(request) };
}

/**
 * Asks the engine on the server, so that the page includes its results and the browser need not ask again.
 * @param more other requests of the page; one body is counted as one search.
 * @throws the errors of `search`.
 */
export async function searchOnServer(
  search: (body: SearchBody) => Promise<SearchAnswers>,
  request: SearchRequest,
  more: SearchRequest[] = [],
): Promise<{ initialResults: InitialResults; others: SearchAnswer[] }> {
  const query = searchQuery(request);
  const { results } = await search({ queries: [query, ...more.map((other) => searchQuery(other))] });
  const [answer, ...others] = results;
  if (!answer)
    throw new Error(`The search engine returned no result for the query of index "${request.indexUid}".`);
  return { initialResults: { [request.indexUid]: { query, answer } }, others };
}
