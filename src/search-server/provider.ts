/**
 * Who answers the site's searches. Each provider has the same public routes and the same in-process search, so
 * the site does not know which one it has. `algolia` is asked by the browser itself.
 */
import { join } from "node:path";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { abandonedAnswer } from "#platform/http/client-abort.ts";
import { searchesOf } from "./answer.ts";
import { createSearchRoutes, type SearchRoutes, type SearchRoutesOptions } from "./routes.ts";
import { openContentService } from "./content-service.ts";
import { ApiError, toResponse } from "./errors.ts";
import { checkIndexUid } from "./index-uid.ts";
import { openKeyStore } from "./keys/key-store.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./limits.ts";
import { refuseTooManyQueries, searchInProcess } from "./multi-search.ts";
import { parseJsonBody, readText, requireJson } from "./request-body.ts";
import {
  facetSearchContext,
  facetSearchSchema,
  multiSearchContext,
  multiSearchSchema,
} from "./search-schema.ts";
import { refuseUnknown } from "./routes/refuse.ts";
import { registerSearchMetrics } from "./register-metrics.ts";
import { createSearchQueue } from "./search-queue.ts";
import type { SearchListener } from "./routes/search-routes.ts";
import { searchContext, searchSchema } from "./search-schema.ts";
import { createUpstream, type Upstream, type UpstreamOptions } from "./upstream.ts";
import { validate } from "./validate.ts";

export interface SearchProvider {
  readonly name: "embedded" | "meilisearch";
  readonly routes: SearchRoutes;
  /** Answers a /multi-search body. @throws ApiError */
  search: (body: unknown) => Promise<unknown>;
  /** Registers the figures of what answers here. */
  registerMetrics: (metrics: Metrics) => void;
  /** Whether searches can be answered. */
  isReady: () => boolean;
  /** Ends what runs in the background. */
  close: () => Promise<void>;
}

export interface EmbeddedProviderOptions extends Omit<SearchRoutesOptions, "content" | "keys"> {
  /**
   * Where indexes that are made over HTTP and the keys (`keys.json`) are kept; null or absent: in memory. Read only if
   * there is an admin key.
   */
  dataDir?: string | null;
  /** The index that the site makes from its pages; writes to it are refused. */
  builtInIndex?: string;
}

/** Something in the data folder that is left out; everything else is served. */
export class IndexFileError extends Error {}

/** The engine in this process. With an admin key the indexes of `dataDir` are served and can be changed. */
export async function openEmbeddedProvider(options: EmbeddedProviderOptions): Promise<SearchProvider> {
  const { dataDir = null, builtInIndex, ...others } = options;
  const { store, adminKey, now = () => performance.now(), onError } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // Those of pages that are rendered with results, too.
  const queue = options.queue ?? createSearchQueue({ limits, now });
  const content = adminKey
    ? await openContentService({
        store,
        dataDir,
        limits,
        ...(builtInIndex !== undefined && { builtInIndex }),
        ...(onError && { onError }),
      })
    : null;
  for (const { file, reason } of content?.problems ?? []) {
    onError?.(new IndexFileError(`${file}: ${reason}`));
  }
  const keys =
    adminKey && dataDir !== null
      ? await openKeyStore({
          masterKey: adminKey,
          path: join(dataDir, "keys.json"),
          onProblem: (message) => onError?.(new IndexFileError(message)),
        })
      : null;
  return {
    name: "embedded",
    routes: createSearchRoutes({ ...others, queue, ...(content && { content }), ...(keys && { keys }) }),
    search: (body) => searchInProcess(store, body, { limits, now, queue }),
    registerMetrics: (metrics) => registerSearchMetrics(metrics, { queue, store, content }),
    isReady: () => options.publicIndexes.every((uid) => store.get(uid) !== undefined),
    close: async () => content?.close(),
  };
}

export interface MeilisearchProviderOptions extends UpstreamOptions {
  /** The only indexes that readers reach; the server may have others. */
  indexUids: readonly string[];
  limits?: Partial<SearchLimits>;
  onError?: (error: unknown) => void;
  /** Told of what readers search. */
  onSearch?: SearchListener;
}

/** Forwards the public search routes to a Meilisearch server; what it answers is checked before it is passed on. */
export function createMeilisearchProvider(options: MeilisearchProviderOptions): SearchProvider {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const upstream = createUpstream(options);
  const app = new Hono();
  app.onError((error, context) => {
    const abandoned = abandonedAnswer(context);
    if (abandoned) return abandoned;
    // Nobody sees why a search failed but us.
    if (error instanceof ApiError && error.status >= 500) options.onError?.(error);
    return toResponse(error, options.onError);
  });

  app.get("/health", async (context) =>
    context.json(await forward(upstream, "GET", "/health", healthSchema)),
  );

  app.post("/multi-search", async (context) => {
    requireJson(context);
    const body = parseJsonBody(await readText(context, limits.searchBodyBytes));
    return told(context, await multiSearch(body));
  });

  app.post("/indexes/:uid/search", async (context) => {
    requireJson(context);
    const body = parseJsonBody(await readText(context, limits.searchBodyBytes));
    validate(searchSchema, body, searchContext);
    const path = pathOf(context.req.param("uid"), "search");
    return told(context, await forward(upstream, "POST", path, resultSchema, body));
  });
  app.get("/indexes/:uid/search", async (context) => {
    const path = pathOf(context.req.param("uid"), "search") + new URL(context.req.url).search;
    return told(context, await forward(upstream, "GET", path, resultSchema));
  });
  app.post("/indexes/:uid/facet-search", async (context) => {
    requireJson(context);
    const body = parseJsonBody(await readText(context, limits.searchBodyBytes));
    validate(facetSearchSchema, body, facetSearchContext);
    const path = pathOf(context.req.param("uid"), "facet-search");
    return context.json(await forward(upstream, "POST", path, facetResultSchema, body));
  });

  function told(context: Context, json: unknown): Response {
    const searches = options.onSearch ? searchesOf(json) : [];
    if (searches.length > 0) options.onSearch?.(searches, context);
    return context.json(json);
  }

  function pathOf(uid: string, action: string): string {
    checkReachable(uid);
    return `/indexes/${uid}/${action}`;
  }

  function checkReachable(uid: string): void {
    checkIndexUid(uid);
    if (options.indexUids.includes(uid)) return;
    throw new ApiError("index_not_found", `Index \`${uid}\` not found.`);
  }

  function multiSearch(body: unknown): Promise<unknown> {
    refuseTooManyQueries(body, limits);
    const { queries, federation } = validate(multiSearchSchema, body, multiSearchContext);
    for (const { indexUid } of queries) checkReachable(indexUid);
    return forward(upstream, "POST", "/multi-search", federation ? resultSchema : resultsSchema, body);
  }

  const admin = new Hono();
  admin.onError((error) => toResponse(error, options.onError));
  admin.route("/", app);
  admin.all("*", refuseUnknown);
  return {
    name: "meilisearch",
    // What changes indexes is that server's to answer, at its own address.
    routes: { admin, public: app },
    search: async (body) => multiSearch(body),
    // It may be away for a while: the site says so, and goes on.
    registerMetrics: () => {},
    isReady: () => true,
    close: async () => {},
  };
}

const resultSchema = z.looseObject({ hits: z.array(z.looseObject({})), processingTimeMs: z.number() });
const resultsSchema = z.looseObject({ results: z.array(resultSchema.extend({ indexUid: z.string() })) });
const facetResultSchema = z.looseObject({
  facetHits: z.array(z.looseObject({ value: z.string(), count: z.number() })),
});
const healthSchema = z.looseObject({ status: z.enum(["available", "degraded"]) });
const errorSchema = z.looseObject({ message: z.string(), code: z.string() });

/** A mistake that the server found stays a mistake of the reader's; anything unexpected is a bad answer. */
async function forward(
  upstream: Upstream,
  method: "GET" | "POST",
  path: string,
  schema: z.ZodType,
  body?: unknown,
): Promise<unknown> {
  const sent = body === undefined ? { method, path } : { method, path, body: JSON.stringify(body) };
  const { status, json } = await upstream.send(sent);
  if (status >= 400) {
    const error = errorSchema.safeParse(json);
    if (error.success) throw new ApiError(error.data.code, error.data.message);
  } else if (schema.safeParse(json).success) return json;
  throw new ApiError("remote_bad_response", "The search server's answer is not one of Meilisearch's.");
}
