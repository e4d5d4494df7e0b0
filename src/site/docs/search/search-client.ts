/**
 * The browser's side of the protocol: asks a Meilisearch-compatible server and remembers its answers.
 *
 *   first search of an index   POST /multi-search {facets only}   awaited, once per client
 *                              POST /multi-search {the query}     cached by its body
 *   later searches             POST /multi-search {the query}     or nothing, if the same body was sent before
 *
 * Independent of React and pages; the reader's view of a search (status, newest wins) is in
 * `search-store.ts`.
 */
import {
  facetsOnlyQuery,
  searchQuery,
  type FacetAnswer,
  type InitialResults,
  type SearchAnswer,
  type SearchAnswers,
  type SearchQueryBody,
  type SearchRequest,
} from "./protocol.ts";

/** The interface for another search service: any implementation can replace this client. */
export interface SearchProvider {
  /**
   * Answers in the order of the requests.
   * @throws Error with the service's message; an AbortError when `signal` aborts.
   */
  search(requests: SearchRequest[], signal?: AbortSignal): Promise<SearchAnswer[]>;
  /** The answers, if they are available without a request. */
  peek(requests: SearchRequest[]): SearchAnswer[] | undefined;
  /** Prepares everything that a first search would have to wait for. Never throws. */
  warm(requests: SearchRequest[]): void;
  /** Stores answers that the server has sent with the page. */
  seed(initial: InitialResults): void;
}

export interface SearchClientOptions {
  /** Origin or base address of the server, without a trailing slash; "" = the page's own origin. */
  host?: string;
  /** Sent as `Authorization: Bearer <key>`. Without a key there is no header, as in the recorded client. */
  apiKey?: string;
  /** Whether an empty query returns results. Default true. */
  placeholderSearch?: boolean;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface FacetSearchRequest extends SearchRequest {
  facetName: string;
  facetQuery: string;
}

export interface SearchClient extends SearchProvider {
  searchFacet(request: FacetSearchRequest, signal?: AbortSignal): Promise<FacetAnswer>;
}

/** Number of answers kept. Readers type a few dozen; the cap is for pages left open for days. */
const MAX_CACHED_ANSWERS = 200;

const CLIENT_NAME = "Meilisearch instant-meilisearch (v0.31.3) ; Meilisearch JavaScript (v0.57.0)";

/** The server answered that the search cannot be done. */
export class SearchApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "SearchApiError";
    this.status = status;
  }
}

/** No answer: connection refused, dropped, offline. */
export class SearchRequestError extends Error {
  constructor(url: string, cause: unknown) {
    super(`Request to ${url} has failed`, { cause });
    this.name = "SearchRequestError";
  }
}

export function createSearchClient(options: SearchClientOptions = {}): SearchClient {
  const { host = "", apiKey = "", placeholderSearch = true } = options;
  const cache = new Map<string, SearchAnswer[]>();
  /** Settled or running facets-only requests by index. No search owns them, so no search aborts them. */
  const defaults = new Map<string, Promise<unknown>>();

  const bodyOf = (requests: SearchRequest[]): string =>
    JSON.stringify({ queries: requests.map((request) => searchQuery(request, placeholderSearch)) });

  async function post<Answer>(path: string, body: string, signal?: AbortSignal): Promise<Answer> {
    const ask = options.fetch ?? fetch;
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (apiKey) headers.Authorization = `Bearer ${apiKey}`;
    headers["X-Meilisearch-Client"] = CLIENT_NAME;
    const url = `${host || globalThis.location?.origin || ""}/${path}`;
    let response: Response;
    let text: string;
    try {
      response = await ask(url, { method: "POST", headers, body, signal: signal ?? null });
      text = await response.text();
    } catch (cause) {
      throw signal?.aborted ? cause : new SearchRequestError(url, cause);
    }
    // A proxy's HTML page is not JSON: the error from JSON.parse then shows it in the log.
    const answer: unknown = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) {
      throw new SearchApiError(
        response.status,
        serverMessage(answer) ?? `${response.status}: ${response.statusText}`,
        answer,
      );
    }
    // Tests with recorded answers prove the server's format; checking it in every browser would cost size.
    return answer as Answer;
  }

  function remember(body: string, answers: SearchAnswer[]): void {
    const oldest = cache.keys().next().value;
    if (cache.size >= MAX_CACHED_ANSWERS && oldest !== undefined) cache.delete(oldest);
    cache.set(body, answers);
  }

  function askDefaults(requests: SearchRequest[]): Promise<unknown> {
    const unasked = new Map(requests.map((request) => [request.indexUid, request]));
    for (const index of defaults.keys()) unasked.delete(index);
    if (unasked.size > 0) {
      const queries: SearchQueryBody[] = [...unasked.values()].map(facetsOnlyQuery);
      const asked = post("multi-search", JSON.stringify({ queries }));
      // Removed if it fails, so that the next search asks again.
      asked.catch(() => queries.forEach(({ indexUid }) => defaults.delete(indexUid)));
      for (const { indexUid } of queries) defaults.set(indexUid, asked);
    }
    return Promise.all(requests.map((request) => defaults.get(request.indexUid)));
  }

  return {
    peek: (requests) => cache.get(bodyOf(requests)),

    async search(requests, signal) {
      const body = bodyOf(requests);
      const known = cache.get(body);
      if (known) return known;
      await askDefaults(requests);
      signal?.throwIfAborted();
      const { results } = await post<SearchAnswers>("multi-search", body, signal);
      remember(body, results);
      return results;
    },

    warm(requests) {
      askDefaults(requests).catch(() => {});
    },

    seed(initial) {
      for (const { query, answer } of Object.values(initial)) {
        remember(JSON.stringify({ queries: [query] }), [answer]);
      }
    },

    searchFacet({ facetName, facetQuery, ...request }, signal) {
      const { indexUid, ...parameters } = searchQuery(request, placeholderSearch);
      const body = JSON.stringify({ ...parameters, facetQuery, facetName });
      return post(`indexes/${encodeURIComponent(indexUid)}/facet-search`, body, signal);
    },
  };
}

function serverMessage(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("message" in answer)) return undefined;
  return typeof answer.message === "string" ? answer.message : undefined;
}
