/** `/multi-search` without HTTP: a body in, the answer's JSON out. The site's server rendering calls it too. */
import type { SearchQuery } from "#search/types.ts";
import { refuseIfLate } from "./deadline.ts";
import { inQuery, translateErrors } from "./engine-errors.ts";
import { ApiError } from "./errors.ts";
import { type FederatedJson, searchFederated } from "./federation.ts";
import { checkIndexUid, isIndexUid } from "./index-uid.ts";
import type { Restrict } from "./keys/guards.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./limits.ts";
import { type SearchJson, toSearchJson, toSearchQuery } from "./search-json.ts";
import {
  multiSearchContext,
  type MultiSearchBody,
  multiSearchSchema,
  type SearchBody,
} from "./search-schema.ts";
import type { SearchStore } from "./store.ts";
import { validate } from "./validate.ts";

export interface SearchOptions {
  limits?: SearchLimits;
  /** Milliseconds from any origin, for `processingTimeMs` and the time limit. */
  now?: () => number;
  /** Judges each query and narrows its filter; absent: the server asks for itself. */
  restrict?: Restrict;
}

/** @throws ApiError for everything that is wrong with the body or its queries. */
export function searchInProcess(
  store: SearchStore,
  body: unknown,
  options: SearchOptions = {},
): { results: SearchJson[] } | FederatedJson {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const now = options.now ?? (() => performance.now());
  const asked = validate(multiSearchSchema, body, multiSearchContext);
  const { federation } = asked;
  if (asked.queries.length > limits.queriesPerRequest) {
    throw new ApiError(
      "bad_request",
      `${asked.queries.length} queries were sent; this server answers at most ${limits.queriesPerRequest} in one request.`,
    );
  }
  const queries = options.restrict ? restrictQueries(asked, options.restrict) : asked.queries;
  if (federation) return searchFederated(store, queries, federation, { limits, now });
  const started = now();
  const results = queries.map((query, position) =>
    inQuery(position, () => {
      refuseIfLate(started, { limits, now });
      if (query.federationOptions) {
        throw new ApiError(
          "invalid_multi_search_federation_options",
          "Using `federationOptions` is not allowed in a non-federated search.\n" +
            " - Hint: remove `federationOptions` from the query or add `federation` to the request.",
        );
      }
      return { indexUid: query.indexUid, ...searchOne(store, query.indexUid, query, { limits, now }) };
    }),
  );
  return { results };
}

/** All queries, before the first one costs anything. Facets of an index that no query names say that it exists. */
function restrictQueries(
  { queries, federation }: MultiSearchBody,
  restrict: Restrict,
): MultiSearchBody["queries"] {
  for (const uid of Object.keys(federation?.facetsByIndex ?? {})) if (isIndexUid(uid)) restrict(uid, null);
  return queries.map((query, position) =>
    inQuery(position, () => {
      checkIndexUid(query.indexUid);
      const filter = restrict(query.indexUid, query.filter);
      return filter === query.filter ? query : { ...query, filter };
    }),
  );
}

/** One search in one index, timed. */
export function searchOne(
  store: SearchStore,
  uid: string,
  body: SearchBody,
  options: Required<Omit<SearchOptions, "restrict">>,
): SearchJson {
  checkIndexUid(uid);
  const query: SearchQuery = toSearchQuery(body, options.limits);
  query.now = options.now;
  const started = options.now();
  const { maxTotalHits } = store.require(uid).index.settings;
  const result = translateErrors(uid, () => store.search(uid, query));
  return toSearchJson(result, { body, query, ms: options.now() - started, maxTotalHits });
}
