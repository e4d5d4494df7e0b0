/**
 * The states of a reader's search over time, for any `SearchProvider`.
 *
 *            search()          > 200 ms           answer
 *   idle ──────────────▶ loading ──────▶ stalled ─────────▶ idle
 *                           │  failure      │
 *                           └───▶ error ◀───┘   search(), retry() ─▶ loading
 *
 * Only the newest search counts: a new search aborts the one before, and an answer that still arrives for a
 * superseded search is dropped. Available answers skip `loading`. The hits of the last answered query stay
 * until new ones arrive; `clear` and the failure of another query drop them.
 */
import {
  DEFAULT_HITS_PER_PAGE,
  type DocsHit,
  type SearchAnswer,
  type SearchFilter,
  type SearchRequest,
} from "./protocol.ts";
import type { SearchProvider } from "./search-client.ts";

/** A search still pending after this is `stalled`. The search library's default. */
const STALLED_DELAY_MS = 200;
/** Fast answers must not flash a loading state: `isLate` is set only after this. */
const LATE_DELAY_MS = 150;

export type SearchStatus = "idle" | "loading" | "stalled" | "error";

export interface SearchSnapshot {
  status: SearchStatus;
  error: Error | null;
  /** Hits of `answeredQuery`, page after page. */
  hits: DocsHit[];
  hasMore: boolean;
  /** The server's count of matching records, exact or estimated. */
  total: number;
  /** The query of `hits`; null before the first answer. Older than `query` while a search runs. */
  answeredQuery: string | null;
  /** The newest query; null if there is none. */
  query: string | null;
  /** A search has been pending for longer than `LATE_DELAY_MS`. */
  isLate: boolean;
}

export interface SearchStore {
  getSnapshot(): SearchSnapshot;
  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Asks for the first page; does nothing if this query with this filter is already pending or answered. */
  search(query: string, filter?: SearchFilter): void;
  /** Appends the next page. */
  searchMore(): void;
  /** Repeats the request that failed. */
  retry(): void;
  /** Forgets query, hits and error, and aborts pending requests. */
  clear(): void;
  warm(): void;
}

export interface Clock {
  /** @returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
}

export interface SearchStoreOptions {
  provider: SearchProvider;
  /** All parameters of a request except its text, filter and page. */
  parameters: Omit<SearchRequest, "query" | "filter" | "page">;
  /** Shown from the start if the provider has its answer available; sends no request. */
  initialQuery?: string;
  initialFilter?: SearchFilter | undefined;
  /** The page came without the results that it should have included. */
  initialError?: Error;
  /** Called once for every failed search. */
  onError?: (error: Error) => void;
  /** Called with every answer that is shown, with the hits of all its pages. */
  onAnswer?: (answer: {
    query: string;
    total: number;
    hits: DocsHit[];
    queryID?: string | undefined;
  }) => void;
  clock?: Clock;
}

const EMPTY: SearchSnapshot = {
  status: "idle",
  error: null,
  hits: [],
  hasMore: false,
  total: 0,
  answeredQuery: null,
  query: null,
  isLate: false,
};

const systemClock: Clock = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function createSearchStore(options: SearchStoreOptions): SearchStore {
  const { provider, parameters, onError, onAnswer, clock = systemClock } = options;
  const pageSize = parameters.hitsPerPage ?? DEFAULT_HITS_PER_PAGE;
  const listeners = new Set<() => void>();
  let snapshot: SearchSnapshot = EMPTY;
  /** Number of pages in `hits`. */
  let pages = 0;
  /** The filter of the newest query. */
  let filter = options.initialFilter;
  let pending: AbortController | null = null;
  let failed: { query: string; page: number } | null = null;
  let cancelStalled: (() => void) | null = null;
  let cancelLate: (() => void) | null = null;

  function update(change: Partial<SearchSnapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }

  function stopWaiting(): void {
    pending = null;
    cancelStalled?.();
    cancelLate?.();
    cancelLate = null;
  }

  function show(answer: SearchAnswer, query: string, page: number): void {
    stopWaiting();
    failed = null;
    pages = page + 1;
    const shown = answer.hits.slice(0, pageSize);
    update({
      status: "idle",
      error: null,
      hits: page === 0 ? shown : [...snapshot.hits, ...shown],
      hasMore: answer.hits.length > pageSize,
      total: answer.totalHits ?? answer.estimatedTotalHits ?? shown.length,
      answeredQuery: query,
      query,
      isLate: false,
    });
    onAnswer?.({ query, total: snapshot.total, hits: snapshot.hits, queryID: answer.queryID });
  }

  function fail(error: Error, query: string, page: number): void {
    stopWaiting();
    failed = { query, page };
    // If a further page failed, the hits before it stay; hits of another query are dropped.
    const kept = page > 0 ? {} : { hits: [], hasMore: false, total: 0, answeredQuery: null };
    update({ ...kept, status: "error", error, isLate: false });
    onError?.(error);
  }

  function ask(query: string, page: number): void {
    pending?.abort();
    const requests = [{ ...parameters, query, filter, page }];
    const known = provider.peek(requests)?.[0];
    if (known) return show(known, query, page);

    const controller = new AbortController();
    pending = controller;
    cancelStalled?.();
    cancelStalled = clock.after(STALLED_DELAY_MS, () => update({ status: "stalled" }));
    // Counted from the first unanswered search, so that someone typing on a slow connection sees activity.
    cancelLate ??= clock.after(LATE_DELAY_MS, () => update({ isLate: true }));
    update({ status: "loading", query });
    provider.search(requests, controller.signal).then(
      ([answer]) => {
        if (pending !== controller) return;
        if (answer) show(answer, query, page);
        else fail(new Error("The search service returned no result."), query, page);
      },
      (reason: unknown) => {
        if (pending !== controller) return;
        fail(reason instanceof Error ? reason : new Error(String(reason)), query, page);
      },
    );
  }

  const { initialQuery, initialError } = options;
  if (initialError) update({ status: "error", error: initialError });
  if (initialQuery) {
    const known = provider.peek([{ ...parameters, query: initialQuery, filter, page: 0 }])?.[0];
    if (known) show(known, initialQuery, 0);
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    search(query, next) {
      if (query === snapshot.query && JSON.stringify(next) === JSON.stringify(filter)) return;
      filter = next;
      ask(query, 0);
    },
    searchMore() {
      const { answeredQuery, hasMore, query } = snapshot;
      if (!pending && hasMore && answeredQuery !== null && answeredQuery === query) ask(answeredQuery, pages);
    },
    retry() {
      if (failed) ask(failed.query, failed.page);
    },
    clear() {
      pending?.abort();
      stopWaiting();
      failed = null;
      pages = 0;
      if (snapshot !== EMPTY) update(EMPTY);
    },
    warm() {
      provider.warm([{ ...parameters, query: "" }]);
    },
  };
}
