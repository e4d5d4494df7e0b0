/**
 * Algolia instead of this site's own engine: the browser asks it directly, and its answers are converted to
 * the format that the rest of the search uses. API: "Search multiple indices", Algolia's Search API, version
 * 1.
 */
import {
  DEFAULT_HITS_PER_PAGE,
  HIGHLIGHT_POST_TAG,
  HIGHLIGHT_PRE_TAG,
  type DocsHit,
  type SearchAnswer,
  type SearchRequest,
} from "./protocol.ts";
import type { SearchProvider } from "./search-client.ts";

export interface AlgoliaOptions {
  appId: string;
  /** The search-only key; every reader sees it. */
  searchKey: string;
  indexName: string;
  fetch?: typeof fetch;
}

interface AlgoliaHit extends DocsHit {
  _highlightResult?: { [attribute: string]: { value?: string } | undefined };
}

interface AlgoliaResult {
  hits: AlgoliaHit[];
  nbHits: number;
  processingTimeMS: number;
  queryID?: string;
  /** Only for attributes in the index's `attributesForFaceting`. */
  facets?: { [attribute: string]: { [value: string]: number } };
}

export function createAlgoliaProvider(options: AlgoliaOptions): SearchProvider {
  const answers = new Map<string, SearchAnswer>();
  const keyOf = (request: SearchRequest) => JSON.stringify(toAlgolia(request, options.indexName));
  const peek = (requests: SearchRequest[]) => {
    const known = requests.flatMap((request) => answers.get(keyOf(request)) ?? []);
    return known.length === requests.length ? known : undefined;
  };
  return {
    peek,
    async search(requests, signal) {
      const known = peek(requests);
      if (known) return known;
      const results = await ask(options, requests, signal);
      return requests.map((request, index) => {
        const answer = toAnswer(request, results[index]);
        answers.set(keyOf(request), answer);
        return answer;
      });
    },
    warm() {
      // With Algolia nothing delays the first search.
    },
    // The server's answers come from the embedded engine: they are shown until the reader asks for more.
    seed(initial) {
      for (const [indexUid, { query, answer }] of Object.entries(initial))
        answers.set(keyOf({ indexUid, query: answer.query, filter: query.filter }), answer);
    },
  };
}

async function ask(
  { appId, searchKey, indexName, fetch: send = fetch }: AlgoliaOptions,
  requests: SearchRequest[],
  signal?: AbortSignal,
): Promise<AlgoliaResult[]> {
  const url = `https://${appId}-dsn.algolia.net/1/indexes/*/queries`;
  const response = await send(url, {
    method: "POST",
    headers: { "x-algolia-application-id": appId, "x-algolia-api-key": searchKey },
    body: JSON.stringify({ requests: requests.map((request) => toAlgolia(request, indexName)) }),
    ...(signal && { signal }),
  });
  // Only the fields that are used are declared; any other answer fails below with its own message.
  const json = (await response.json()) as { results?: AlgoliaResult[]; message?: string };
  if (!response.ok || !json.results)
    throw new Error(json.message ?? `Algolia answered with status ${response.status}.`);
  return json.results;
}

/** Asks for one hit more than a page shows, as with the site's engine, to learn whether there are more. */
function toAlgolia(request: SearchRequest, indexName: string) {
  const size = request.hitsPerPage ?? DEFAULT_HITS_PER_PAGE;
  const filters = request.filter && { facetFilters: toFacetFilters(request.filter) };
  const facets = request.facets && { facets: request.facets };
  // A request for counts only is not a reader's search.
  if (size === 0)
    return { indexName, query: request.query, hitsPerPage: 0, analytics: false, ...filters, ...facets };
  return {
    indexName,
    query: request.query,
    ...filters,
    ...facets,
    offset: (request.page ?? 0) * size,
    length: size + 1,
    attributesToHighlight: ["*"],
    highlightPreTag: HIGHLIGHT_PRE_TAG,
    highlightPostTag: HIGHLIGHT_POST_TAG,
    clickAnalytics: true,
  };
}

/** `"type"="code"` → `type:code`; a `-` at the beginning of a value would exclude it. */
function toFacetFilters(filter: NonNullable<SearchRequest["filter"]>): (string | string[])[] {
  const toFacetFilter = (expression: string) => {
    const [, attribute = "", value = '""'] = /^"(\w+)"=(".*")$/s.exec(expression) ?? [];
    return `${attribute}:${String(JSON.parse(value)).replace(/^-/, "\\-")}`;
  };
  return [filter].flat().map((part) => (Array.isArray(part) ? part.map(toFacetFilter) : toFacetFilter(part)));
}

function toAnswer(request: SearchRequest, result: AlgoliaResult | undefined): SearchAnswer {
  if (!result) throw new Error("Algolia did not answer every query.");
  return {
    indexUid: request.indexUid,
    query: request.query,
    processingTimeMs: result.processingTimeMS,
    estimatedTotalHits: result.nbHits,
    ...(result.queryID && { queryID: result.queryID }),
    ...(result.facets && { facetDistribution: result.facets }),
    hits: result.hits.map(({ _highlightResult = {}, ...hit }) => ({
      ...hit,
      _formatted: Object.fromEntries(
        Object.entries(_highlightResult).flatMap(([name, part]) => (part?.value ? [[name, part.value]] : [])),
      ),
    })),
  };
}
