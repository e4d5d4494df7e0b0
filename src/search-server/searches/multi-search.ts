/** `/multi-search` without HTTP: a body in, the answer's JSON out. The site's server rendering calls it too. */
import {
  findSteps,
  type FoundPage,
  type OpenedIndex,
  type SearchQuery,
  type SearchResult,
  searchSteps,
  type Steps,
  type Work,
} from "#search/index.ts";
import { inQuery, translateErrors } from "./engine-errors.ts";
import { ApiError } from "../protocol/errors.ts";
import { federatedSteps, type FederatedJson } from "./federation.ts";
import { checkIndexUid, isIndexUid } from "../protocol/index-uid.ts";
import type { Restrict } from "../keys/guards.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "../protocol/limits.ts";
import { createStages, metadataOf, type RequestExtras } from "./request-extras.ts";
import { createRequestWork, type RequestWork } from "./request-work.ts";
import { type SearchJson, toSearchJson, toSearchQuery } from "./json.ts";
import { createSearchQueue, type SearchQueue } from "./queue.ts";
import { multiSearchContext, type MultiSearchBody, multiSearchSchema, type SearchBody } from "./schema.ts";
import { createShape, type Shape } from "./shape-hit.ts";
import { resultSteps } from "./result-steps.ts";
import { type Semantic, semanticOf, type SemanticPage, semanticPageSteps } from "./semantic.ts";
import type { SearchStore } from "../catalog/store.ts";
import type { Pinned } from "../pins/pinned-page.ts";
import { validate } from "../protocol/validate.ts";

export interface SearchOptions extends RequestExtras {
  limits: SearchLimits;
  /** Milliseconds from any origin, for `processingTimeMs` and the time limit. */
  now: () => number;
  /** Checks each query and narrows its filter; absent: the server itself is searching. */
  restrict?: Restrict;
  /** Called when there is no query that `restrict` could check. */
  refuseNothing?: () => void;
}

export type MultiSearchJson = { results: SearchJson[] } | FederatedJson;

/** @throws ApiError for anything wrong with the body or its queries, and when there are too many searches. */
export async function searchInProcess(
  store: SearchStore,
  body: unknown,
  options: Partial<SearchOptions> & { queue?: SearchQueue } = {},
): Promise<MultiSearchJson> {
  const { limits = DEFAULT_LIMITS, now = () => performance.now() } = options;
  const queue = options.queue ?? createSearchQueue({ limits, now });
  return queue.run(multiSearchSteps(store, body, { limits, now }));
}

/** The same in steps, between which other searches have their turns. */
export function* multiSearchSteps(
  store: SearchStore,
  body: unknown,
  options: SearchOptions,
): Steps<MultiSearchJson> {
  const work = createRequestWork(options);
  refuseTooManyQueries(body, options.limits);
  const asked = validate(multiSearchSchema, body, multiSearchContext);
  const { federation } = asked;
  if (asked.queries.length === 0) options.refuseNothing?.();
  const queries = options.restrict ? yield* restrictQueries(asked, options.restrict) : asked.queries;
  if (federation) return yield* federatedSteps(store, { queries, federation, work, ...options });
  const results: SearchJson[] = [];
  for (const [position, query] of queries.entries()) {
    yield;
    results.push(yield* inQuery(position, indexSteps(query)));
  }
  return { results };

  function* indexSteps(query: (typeof queries)[number]): Steps<SearchJson> {
    work.refuseIfOver();
    if (query.federationOptions) {
      throw new ApiError(
        "invalid_multi_search_federation_options",
        "Using `federationOptions` is not allowed in a non-federated search.\n" +
          " - Hint: remove `federationOptions` from the query or add `federation` to the request.",
      );
    }
    const { indexUid } = query;
    return { indexUid, ...(yield* searchOneSteps(store, indexUid, query, { ...options, work })) };
  }
}

/** Called before any query is read. Also for bodies that another server answers. */
export function refuseTooManyQueries(body: unknown, { queriesPerRequest }: SearchLimits): void {
  const queries: unknown = body !== null && typeof body === "object" && "queries" in body && body.queries;
  if (!Array.isArray(queries) || queries.length <= queriesPerRequest) return;
  throw new ApiError(
    "bad_request",
    `${queries.length} queries were sent; this server accepts at most ${queriesPerRequest} per request.`,
  );
}

/**
 * All queries, before the first one costs anything. Facets of an index that no query names would reveal it.
 */
function* restrictQueries(
  { queries, federation }: MultiSearchBody,
  restrict: Restrict,
): Steps<MultiSearchBody["queries"]> {
  for (const uid of Object.keys(federation?.facetsByIndex ?? {})) if (isIndexUid(uid)) restrict(uid, null);
  const restricted: MultiSearchBody["queries"] = [];
  for (const [position, query] of queries.entries())
    restricted.push(yield* inQuery(position, restrictQuery(query, restrict)));
  return restricted;
}

type Query = MultiSearchBody["queries"][number];

// A generator without steps, because `inQuery` only takes generators.
// oxlint-disable-next-line require-yield
function* restrictQuery(query: Query, restrict: Restrict): Steps<Query> {
  checkIndexUid(query.indexUid);
  const filter = restrict(query.indexUid, query.filter);
  return filter === query.filter ? query : { ...query, filter };
}

/** One search in one index, timed. */
export function* searchOneSteps(
  store: SearchStore,
  uid: string,
  body: SearchBody,
  options: SearchOptions & { work?: RequestWork },
): Steps<SearchJson> {
  const { limits, now, work = createRequestWork(options) } = options;
  checkIndexUid(uid);
  const stages = body.showPerformanceDetails ? createStages() : null;
  const query: SearchQuery = { ...toSearchQuery(body, limits), now, work, ...(stages && { trace: stages }) };
  const started = now();
  const stored = store.require(uid);
  const { index } = stored;
  const semantic = semanticOf(body, stored);
  const pinned = store.pinning?.of(stored, query.q) ?? null;
  const hasVectors = body.retrieveVectors === true;
  const shape = createShape(stored, { store, hasVectors, work, restrict: options.restrict });
  const { semanticHitCount, ...result } = yield* translateErrors<Result>(
    uid,
    semantic || shape || pinned
      ? pageSteps(index, { ...query, work }, { semantic, shape, pinned })
      : searchSteps(index, query),
  );
  const { maxTotalHits } = index.settings;
  const ms = now() - started;
  return {
    ...toSearchJson(result, { body, query, ms, maxTotalHits }),
    ...(semanticHitCount !== undefined && { semanticHitCount }),
    ...(body.hybrid != null && semanticHitCount === undefined && { semanticHitCount: 0 }),
    ...(stages && { performanceDetails: stages.toJson(ms, started - (options.arrived ?? started)) }),
    ...(options.hasMetadata && { requestUid: crypto.randomUUID(), metadata: metadataOf(uid, index) }),
  };
}

type Result = SearchResult & { semanticHitCount?: number };

/** Searches that the engine alone does not answer: with a vector, with the vectors of documents, with pinned documents. */
function* pageSteps(
  index: OpenedIndex,
  query: SearchQuery & { work: Work },
  { semantic, shape, pinned }: { semantic: Semantic | null; shape: Shape | null; pinned: Pinned | null },
): Steps<Result> {
  const find = (asked: SearchQuery & { work: Work }): Steps<FoundPage & Partial<SemanticPage>> =>
    semantic ? semanticPageSteps(index, asked, semantic) : findSteps(index, asked);
  const page = yield* pinned ? pinned.pageSteps(query, find) : find(query);
  const { isNear } = page;
  return {
    ...(yield* resultSteps(index, query, page, shape)),
    ...(isNear && { semanticHitCount: page.hits.filter(isNear).length }),
  };
}
