import { type Context, Hono } from "hono";
import { Answer, type AnsweredSearch } from "../answer.ts";
import { createAnswerCache } from "../answer-cache.ts";
import { translateErrors } from "../engine-errors.ts";
import { ApiError } from "../errors.ts";
import { checkIndexUid } from "../index-uid.ts";
import type { SearchLimits } from "../limits.ts";
import { searchInProcess, searchOne } from "../multi-search.ts";
import { parseJsonBody, readJson, readText, requireJson } from "../request-body.ts";
import { bodyFromSearchParams } from "../search-params.ts";
import { facetSearchContext, facetSearchSchema, searchContext, searchSchema } from "../search-schema.ts";
import { toFacetQuery } from "../search-json.ts";
import type { SearchStore } from "../store.ts";
import { validate } from "../validate.ts";

export interface SearchRouteOptions {
  store: SearchStore;
  limits: SearchLimits;
  now: () => number;
  /** Told of what was searched, with the request. */
  onSearch?: SearchListener;
}

export type SearchListener = (searches: readonly AnsweredSearch[], context: Context) => void;

/** The public routes: readers and their browsers need no key. */
export function searchRoutes(options: SearchRouteOptions): Hono {
  const { store, limits, now } = options;
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
    const answer = new Answer(searchInProcess(store, parseJsonBody(text), options));
    const response = send(answer, context);
    cache.set(text, answer);
    return response;
  });

  app.post("/indexes/:uid/search", async (context) => {
    const body = validate(searchSchema, await readJson(context, limits.searchBodyBytes), searchContext);
    return send(new Answer(searchOne(store, context.req.param("uid"), body, { limits, now })), context);
  });

  app.get("/indexes/:uid/search", (context) => {
    const params = bodyFromSearchParams(new URL(context.req.url).searchParams);
    const body = validate(searchSchema, params, searchContext);
    return send(new Answer(searchOne(store, context.req.param("uid"), body, { limits, now })), context);
  });

  app.post("/indexes/:uid/facet-search", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const json = await readJson(context, limits.searchBodyBytes);
    const body = validate(facetSearchSchema, json, facetSearchContext);
    const started = now();
    const query = { ...toFacetQuery(body, limits), now };
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
