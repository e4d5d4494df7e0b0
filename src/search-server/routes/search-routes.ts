import { type Context, Hono } from "hono";
import { Answer, type AnsweredSearch } from "../answer.ts";
import { createAnswerCache } from "../answer-cache.ts";
import { translateErrors } from "../engine-errors.ts";
import { ApiError } from "../errors.ts";
import { checkIndexUid } from "../index-uid.ts";
import type { Identify } from "../keys/gatekeeper.ts";
import { accessOf, judgeSearches } from "../keys/guards.ts";
import type { SearchLimits } from "../limits.ts";
import { searchInProcess, searchOne } from "../multi-search.ts";
import { parseJsonBody, readJson, readText, requireJson } from "../request-body.ts";
import { bodyFromSearchParams } from "../search-params.ts";
import {
  facetSearchContext,
  facetSearchSchema,
  type SearchBody,
  searchContext,
  searchSchema,
} from "../search-schema.ts";
import { toFacetQuery } from "../search-json.ts";
import type { SearchStore } from "../store.ts";
import { validate } from "../validate.ts";

export interface SearchRouteOptions {
  store: SearchStore;
  limits: SearchLimits;
  now: () => number;
  /** Who searches, where no guard stands before the route: the queries of a multi-search name their indexes. */
  identify: Identify;
  /** Whether anybody may search an index. */
  isPublic: (uid: string) => boolean;
  /** Told of what was searched, with the request. */
  onSearch?: SearchListener;
}

export type SearchListener = (searches: readonly AnsweredSearch[], context: Context) => void;

/** Searches. Of public indexes readers and their browsers need no key. */
export function searchRoutes(options: SearchRouteOptions): Hono {
  const { store, limits, now, identify, isPublic } = options;
  const cache = createAnswerCache(store, limits.cachedAnswerBytes);
  const app = new Hono();
  const send = (answer: Answer, context: Context) => {
    if (answer.searches.length > 0) options.onSearch?.(answer.searches, context);
    return answer.send(context);
  };

  function searchIndex(context: Context, uid: string, body: SearchBody): Response {
    checkIndexUid(uid);
    const filter = judgeSearches(accessOf(context), isPublic).restrict(uid, body.filter);
    return send(new Answer(searchOne(store, uid, { ...body, filter }, { limits, now })), context);
  }

  app.post("/multi-search", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    const judge = judgeSearches(identify(context), isPublic);
    const known = judge.mayShare ? cache.get(text) : undefined;
    if (known) return send(known, context);
    const { restrict } = judge;
    const answer = new Answer(searchInProcess(store, parseJsonBody(text), { limits, now, restrict }));
    const response = send(answer, context);
    // Kept are answers that anybody may have, and no others.
    if (judge.isShared) cache.set(text, answer);
    return response;
  });

  app.post("/indexes/:uid/search", async (context) => {
    const body = validate(searchSchema, await readJson(context, limits.searchBodyBytes), searchContext);
    return searchIndex(context, context.req.param("uid"), body);
  });

  app.get("/indexes/:uid/search", (context) => {
    const params = bodyFromSearchParams(new URL(context.req.url).searchParams);
    const body = validate(searchSchema, params, searchContext);
    return searchIndex(context, context.req.param("uid"), body);
  });

  app.post("/indexes/:uid/facet-search", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const json = await readJson(context, limits.searchBodyBytes);
    const body = validate(facetSearchSchema, json, facetSearchContext);
    const started = now();
    const filter = judgeSearches(accessOf(context), isPublic).restrict(uid, body.filter);
    const query = { ...toFacetQuery({ ...body, filter }, limits), now };
    const { facetHits } = translateErrors(uid, () => store.searchFacet(uid, query));
    const processingTimeMs = Math.round(now() - started);
    return new Answer({ facetHits, facetQuery: body.facetQuery ?? null, processingTimeMs }).send(context);
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
