import type { SearchQuery } from "./contract/types.ts";

export interface PageWindow {
  offset: number;
  limit: number;
  /** Requested by page: then the total is exact. */
  isPaged: boolean;
}

const DEFAULT_LIMIT = 20;

/** The hits that a query requests, within those that the index lets anyone reach. */
export function pageWindow(query: SearchQuery, maxTotalHits: number): PageWindow {
  const isPaged = query.page !== undefined || query.hitsPerPage !== undefined;
  const size = Math.max(0, isPaged ? (query.hitsPerPage ?? DEFAULT_LIMIT) : (query.limit ?? DEFAULT_LIMIT));
  // Page 0 does not exist: it is empty, rather than page 1 again.
  const isNowhere = isPaged && (query.page ?? 1) < 1;
  const start = isPaged ? ((query.page ?? 1) - 1) * size : (query.offset ?? 0);
  const offset = Math.min(Math.max(0, start), maxTotalHits);
  return { offset, limit: isNowhere ? 0 : Math.min(size, maxTotalHits - offset), isPaged };
}
