import { type Context, Hono } from "hono";
import { facetSearchSteps, type Steps } from "#search/index.ts";
import { Answer, type AnsweredSearch } from "../answer.ts";
import { createAnswerCache } from "../answer-cache.ts";
import { translateErrors } from "../engine-errors.ts";
import { ApiError } from "../errors.ts";
import { checkIndexUid } from "../index-uid.ts";
import type { SearchLimits } from "../limits.ts";
import { multiSearchSteps, searchOneSteps } from "../multi-search.ts";
import { parseJsonBody, readText, requireJson } from "../request-body.ts";
import { createRequestWork } from "../request-work.ts";
import { bodyFromSearchParams } from "../search-params.ts";
import { facetSearchContext, facetSearchSchema, searchContext, searchSchema } from "../search-schema.ts";
import { toFacetQuery } from "../search-json.ts";
import type { SearchQueue } from "../search-queue.ts";
import type { SearchStore } from "../store.ts";
import { validate } from "../validate.ts";

export interface SearchRouteOptions {
  store: SearchStore;
  limits: SearchLimits;
  now: () => number;
  /** Where searches wait for their turn. */
  queue: SearchQueue;
  /** Told of what was searched, with the request. */
  onSearch?: SearchListener;
}

export type SearchListener = (searches: readonly AnsweredSearch[], context: Context) => void;

/**
 * The public routes: readers and their browsers need no key. A body is read outside of the queue; that it is parsed,
 * searched and made JSON again is one search. Kept answers do not wait.
 */
export function searchRoutes(options: SearchRouteOptions): Hono {
  const { store, limits, queue } = options;
  const cache = createAnswerCache(store, limits.cachedAnswerBytes);
  const app = new Hono();
  const send = (answer: Answer, context: Context) => {
    if (answer.searches.length > 0) options.onSearch?.(answer.searches, context);
    return answer.send(context);
  };

  app.post("/multi-search", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    const known = cache.get(text);
    if (known) return send(known, context);
    const answer = await cache.share(text, () => queue.run(answerMultiSearch(text, options)));
    const response = await send(answer, context);
    cache.set(text, answer);
    return response;
  });

  app.post("/indexes/:uid/search", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    const read = () => parseJsonBody(text);
    return send(await queue.run(answerSearch(context.req.param("uid"), read, options)), context);
  });

  app.get("/indexes/:uid/search", async (context) => {
    const read = () => bodyFromSearchParams(new URL(context.req.url).searchParams);
    return send(await queue.run(answerSearch(context.req.param("uid"), read, options)), context);
  });

  app.post("/indexes/:uid/facet-search", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    return (await queue.run(answerFacetSearch(uid, text, options))).send(context);
  });

  for (const path of ["/indexes/:uid/search", "/indexes/:uid/facet-search"]) {
    app.all(path, ({ req }) => {
      throw new ApiError("method_not_allowed", `${req.path} does not answer ${req.method}.`);
    });
  }

  app.on(["GET", "POST"], "/indexes/:uid/similar", () => {
    throw new ApiError("feature_not_enabled", "This server searches by words; it has no similar documents.");
  });

  return app;
}

function* answerMultiSearch(text: string, options: SearchRouteOptions): Steps<Answer> {
  return new Answer(yield* multiSearchSteps(options.store, parseJsonBody(text), options));
}

function* answerSearch(uid: string, read: () => unknown, options: SearchRouteOptions): Steps<Answer> {
  const body = validate(searchSchema, read(), searchContext);
  return new Answer(yield* searchOneSteps(options.store, uid, body, options));
}

function* answerFacetSearch(uid: string, text: string, options: SearchRouteOptions): Steps<Answer> {
  const { store, limits, now } = options;
  const body = validate(facetSearchSchema, parseJsonBody(text), facetSearchContext);
  const started = now();
  const query = { ...toFacetQuery(body, limits), now, work: createRequestWork(options) };
  const { index } = store.require(uid);
  const { facetHits } = yield* translateErrors(uid, facetSearchSteps(index, query));
  const processingTimeMs = Math.round(now() - started);
  return new Answer({ facetHits, facetQuery: body.facetQuery ?? null, processingTimeMs });
}
