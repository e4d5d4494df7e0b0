import { type Context, Hono } from "hono";
import { facetSearchSteps, type Steps } from "#search/index.ts";
import { Answer, type AnsweredSearch } from "../answers/answer.ts";
import { createAnswerCache } from "../searches/answer-cache.ts";
import { answerSteps } from "../answers/answer-steps.ts";
import { translateErrors } from "../searches/engine-errors.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import type { Identify } from "../keys/gatekeeper.ts";
import { accessOf, judgeSearches, type Restrict } from "../keys/guards.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import { multiSearchSteps, searchOneSteps } from "../searches/multi-search.ts";
import { parseJsonBody } from "../payloads/parse-json-body.ts";
import { readText, requireJson } from "../payloads/request-body.ts";
import { METADATA_HEADER, type RequestExtras, wantsMetadata } from "../searches/request-extras.ts";
import { createRequestWork } from "../searches/request-work.ts";
import { bodyFromSearchParams } from "../searches/params.ts";
import { facetSearchContext, facetSearchSchema, searchContext, searchSchema } from "../searches/schema.ts";
import { toFacetQuery } from "../searches/json.ts";
import type { SearchQueue } from "../searches/queue.ts";
import type { SearchStore } from "../catalog/store.ts";
import { validate } from "../protocol/validate.ts";
import { refuseMethod } from "./refuse.ts";

export interface SearchRouteOptions {
  store: SearchStore;
  limits: SearchLimits;
  now: () => number;
  /** The queue of waiting searches. */
  queue: SearchQueue;
  /** Finds the sender where the route has no guard: the queries of a multi-search name their indexes. */
  identify: Identify;
  /** Whether anyone may search an index. */
  isPublic: (uid: string) => boolean;
  /** Called with the searches and the request. */
  onSearch?: SearchListener;
}

export type SearchListener = (searches: readonly AnsweredSearch[], context: Context) => void;

/**
 * Searches. Public indexes need no key. A body is read outside the queue; parsing, searching and making the
 * JSON count as one search. Kept answers do not wait.
 */
export function searchRoutes(options: SearchRouteOptions): Hono {
  const { store, limits, queue, identify, isPublic } = options;
  const cache = createAnswerCache(store, limits.cachedAnswerBytes);
  const app = new Hono();
  const send = (answer: Answer, context: Context) => {
    if (answer.searches.length > 0) options.onSearch?.(answer.searches, context);
    return answer.send(context);
  };

  const extrasOf = ({ req }: Context): RequestExtras => ({
    arrived: options.now(),
    hasMetadata: wantsMetadata(req.header(METADATA_HEADER)),
  });

  async function searchIndex(context: Context, uid: string, read: () => unknown): Promise<Response> {
    checkIndexUid(uid);
    const { restrict } = judgeSearches(accessOf(context), isPublic);
    return send(
      await queue.run(answerSearch(uid, read, { ...options, ...extrasOf(context), restrict })),
      context,
    );
  }

  app.post("/multi-search", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    const judge = judgeSearches(identify(context), isPublic);
    const extras = extrasOf(context);
    const { restrict, refuseNothing } = judge;
    const make = () => queue.run(answerMultiSearch(text, { ...options, ...extras, restrict, refuseNothing }));
    // Query numbers must not be shared, nor hits that are pinned until a moment.
    if (extras.hasMetadata || store.pinning?.changesWithTime) return send(await make(), context);
    const known = judge.mayShare ? cache.get(text) : undefined;
    if (known) return send(known, context);
    // A sender without a key may get an answer made for others without one; all other answers are made for
    // one request.
    const isNobody = context.req.header("authorization") === undefined;
    const answer = await (isNobody ? cache.share(text, make) : cache.own(make));
    const response = await send(answer, context);
    // Only answers that everyone may see are kept.
    if (judge.isShared) cache.set(text, answer);
    return response;
  });

  app.post("/indexes/:uid/search", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    return searchIndex(context, context.req.param("uid"), () => parseJsonBody(text));
  });

  app.get("/indexes/:uid/search", (context) =>
    searchIndex(context, context.req.param("uid"), () =>
      bodyFromSearchParams(new URL(context.req.url).searchParams),
    ),
  );

  app.post("/indexes/:uid/facet-search", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    const { restrict } = judgeSearches(accessOf(context), isPublic);
    return (await queue.run(answerFacetSearch(uid, text, { ...options, restrict }))).send(context);
  });

  for (const path of ["/multi-search", "/indexes/:uid/search", "/indexes/:uid/facet-search"])
    app.all(path, refuseMethod);

  return app;
}

/** `restrict` narrows the filter to the documents that the sender may find. */
type Restricted = SearchRouteOptions & RequestExtras & { restrict: Restrict; refuseNothing?: () => void };

function* answerMultiSearch(text: string, options: Restricted): Steps<Answer> {
  return yield* answerSteps(yield* multiSearchSteps(options.store, parseJsonBody(text), options));
}

function* answerSearch(uid: string, read: () => unknown, options: Restricted): Steps<Answer> {
  const body = validate(searchSchema, read(), searchContext);
  const filter = options.restrict(uid, body.filter);
  return yield* answerSteps(yield* searchOneSteps(options.store, uid, { ...body, filter }, options));
}

function* answerFacetSearch(uid: string, text: string, options: Restricted): Steps<Answer> {
  const { store, limits, now } = options;
  const body = validate(facetSearchSchema, parseJsonBody(text), facetSearchContext);
  const started = now();
  const filter = options.restrict(uid, body.filter);
  const query = { ...toFacetQuery({ ...body, filter }, limits), now, work: createRequestWork(options) };
  const { index } = store.require(uid);
  const { facetHits } = yield* translateErrors(uid, facetSearchSteps(index, query));
  const processingTimeMs = Math.floor(now() - started);
  return new Answer({ facetHits, facetQuery: body.facetQuery ?? null, processingTimeMs });
}
