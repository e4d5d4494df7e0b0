/**
 * Answers the site's searches. Each provider has the same public routes and the same in-process search, so
 * the site does not know which one it has. With `algolia` the browser itself asks Algolia.
 */
import { join } from "node:path";
import { type Context, Hono } from "hono";
import * as z from "zod";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { abandonedAnswer } from "#platform/http/connections/client-abort.ts";
import { searchesOf } from "./answers/answer.ts";
import { createSearchRoutes, type SearchRoutes, type SearchRoutesOptions } from "./routes.ts";
import { openContentService } from "./changes/content-service.ts";
import { ApiError, toResponse } from "./protocol/errors.ts";
import { checkIndexUid } from "./protocol/index-uid.ts";
import { openKeyStore } from "./keys/key-store.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./protocol/limits.ts";
import { refuseTooManyQueries, searchInProcess } from "./searches/multi-search.ts";
import { parseJsonBody } from "./payloads/parse-json-body.ts";
import { readText, requireJson } from "./payloads/request-body.ts";
import {
  facetSearchContext,
  facetSearchSchema,
  multiSearchContext,
  multiSearchSchema,
} from "./searches/schema.ts";
import { refuseUnknown } from "./routes/refuse.ts";
import { registerSearchMetrics } from "./register-metrics.ts";
import { createSearchQueue } from "./searches/queue.ts";
import type { SearchListener } from "./routes/search-routes.ts";
import { searchContext, searchSchema } from "./searches/schema.ts";
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from "./upstream/upstream.ts";
import { openWebhooks } from "./webhooks/open-webhooks.ts";
import { validate } from "./protocol/validate.ts";

export interface SearchProvider {
  readonly name: "embedded" | "meilisearch";
  readonly routes: SearchRoutes;
  /** Answers a /multi-search body. @throws ApiError */
  search: (body: unknown) => Promise<unknown>;
  /** Registers the provider's figures. */
  registerMetrics: (metrics: Metrics) => void;
  /** Whether searches can be answered. */
  isReady: () => boolean;
  /** Ends background work. */
  close: () => Promise<void>;
}

export interface EmbeddedProviderOptions extends Omit<SearchRoutesOptions, "content" | "keys"> {
  /**
   * Folder of indexes made over HTTP and of the keys (`keys.json`); null or absent: in memory. Read only if
   * there is an admin key.
   */
  dataDir?: string | null;
  /** The indexes that the site makes from its pages; writes to them are refused. */
  builtInIndexes?: readonly string[];
  /** Origins that webhooks may call although they are private or without TLS. */
  webhookOrigins?: readonly string[];
}

/** Something in the data folder that is left out; everything else is served. */
export class IndexFileError extends Error {}

/** The engine in this process. With an admin key the indexes of `dataDir` are served and can be changed. */
export async function openEmbeddedProvider(options: EmbeddedProviderOptions): Promise<SearchProvider> {
  const { dataDir = null, builtInIndexes = [], webhookOrigins = [], ...others } = options;
  const { store, adminKey, now = () => performance.now(), onError } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // Including searches of pages that are rendered with results.
  const queue = options.queue ?? createSearchQueue({ limits, now });
  const report = (error: unknown) => onError?.(error);
  const onProblem = (message: string) => onError?.(new IndexFileError(message));
  const listed = new Set(webhookOrigins);
  const webhooks = adminKey
    ? await openWebhooks({ masterKey: adminKey, dataDir, listed, onError: report, onProblem })
    : null;
  const content = adminKey
    ? await openContentService({
        store,
        dataDir,
        limits,
        builtInIndexes,
        ...(onError && { onError }),
        ...(webhooks && { onFinished: webhooks.notify }),
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
          onProblem,
        })
      : null;
  return {
    name: "embedded",
    routes: createSearchRoutes({
      ...others,
      queue,
      ...(content && { content }),
      ...(keys && { keys }),
      ...(webhooks && { webhooks }),
    }),
    search: (body) => searchInProcess(store, body, { limits, now, queue }),
    registerMetrics: (metrics) => registerSearchMetrics(metrics, { queue, store, content }),
    isReady: () => options.publicIndexes.every((uid) => store.get(uid) !== undefined),
    async close() {
      await content?.close();
      webhooks?.close();
    },
  };
}

export interface MeilisearchProviderOptions extends UpstreamOptions {
  /** The only indexes that readers can reach; the server may have others. */
  indexUids: readonly string[];
  limits?: Partial<SearchLimits>;
  onError?: (error: unknown) => void;
  /** Called with what readers search. */
  onSearch?: SearchListener;
}

/**
 * Forwards the public search routes to a Meilisearch server, and checks its answers before passing them on.
 */
export function createMeilisearchProvider(options: MeilisearchProviderOptions): SearchProvider {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const remote = createRemoteSearch(options, limits);
  const app = createRemoteRoutes(remote, options, limits);
  const admin = new Hono();
  admin.onError((error) => toResponse(error, options.onError));
  admin.route("/", app);
  admin.all("*", refuseUnknown);
  return {
    name: "meilisearch",
    // Requests that change indexes belong to that server, at its own address.
    routes: { admin, public: app },
    search: async (body) => remote.multiSearch(body),
    // The server may be unreachable for a while: the site says so and continues.
    registerMetrics: () => {},
    isReady: () => true,
    close: async () => {},
  };
}

type RemoteSearch = ReturnType<typeof createRemoteSearch>;

/** The requests that readers may send to the server. Their mistakes are found here, before anything is sent. */
function createRemoteSearch(options: MeilisearchProviderOptions, limits: SearchLimits) {
  const upstream = createUpstream(options);

  function checkReachable(uid: string): void {
    checkIndexUid(uid);
    if (options.indexUids.includes(uid)) return;
    throw new ApiError("index_not_found", `Index \`${uid}\` not found.`);
  }

  function pathOf(uid: string, action: string): string {
    checkReachable(uid);
    return `/indexes/${uid}/${action}`;
  }

  return {
    health: () => forward(upstream, { method: "GET", path: "/health" }, healthSchema),
    multiSearch(body: unknown): Promise<unknown> {
      refuseTooManyQueries(body, limits);
      const { queries, federation } = validate(multiSearchSchema, body, multiSearchContext);
      for (const { indexUid } of queries) checkReachable(indexUid);
      const question = { method: "POST", path: "/multi-search", body } as const;
      return forward(upstream, question, federation ? resultSchema : resultsSchema);
    },
    search(uid: string, body: unknown): Promise<unknown> {
      validate(searchSchema, body, searchContext);
      return forward(upstream, { method: "POST", path: pathOf(uid, "search"), body }, resultSchema);
    },
    /** @param query as in the address, with its question mark */
    searchByAddress: (uid: string, query: string) =>
      forward(upstream, { method: "GET", path: pathOf(uid, "search") + query }, resultSchema),
    facetSearch(uid: string, body: unknown): Promise<unknown> {
      validate(facetSearchSchema, body, facetSearchContext);
      const path = pathOf(uid, "facet-search");
      return forward(upstream, { method: "POST", path, body }, facetResultSchema);
    },
  };
}

function createRemoteRoutes(
  remote: RemoteSearch,
  { onError, onSearch }: MeilisearchProviderOptions,
  limits: SearchLimits,
): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const abandoned = abandonedAnswer(context);
    if (abandoned) return abandoned;
    // The reason for a failed search is only visible here.
    if (error instanceof ApiError && error.status >= 500) onError?.(error);
    return toResponse(error, onError);
  });

  async function readBody(context: Context): Promise<unknown> {
    requireJson(context);
    return parseJsonBody(await readText(context, limits.searchBodyBytes));
  }

  function told(context: Context, json: unknown): Response {
    const searches = onSearch ? searchesOf(json) : [];
    if (searches.length > 0) onSearch?.(searches, context);
    return context.json(json);
  }

  app.get("/health", async (context) => context.json(await remote.health()));
  app.post("/multi-search", async (context) =>
    told(context, await remote.multiSearch(await readBody(context))),
  );
  app.post("/indexes/:uid/search", async (context) =>
    told(context, await remote.search(context.req.param("uid"), await readBody(context))),
  );
  app.get("/indexes/:uid/search", async (context) => {
    const { search } = new URL(context.req.url);
    return told(context, await remote.searchByAddress(context.req.param("uid"), search));
  });
  app.post("/indexes/:uid/facet-search", async (context) =>
    context.json(await remote.facetSearch(context.req.param("uid"), await readBody(context))),
  );
  return app;
}

const resultSchema = z.looseObject({ hits: z.array(z.looseObject({})), processingTimeMs: z.number() });
const resultsSchema = z.looseObject({ results: z.array(resultSchema.extend({ indexUid: z.string() })) });
const facetResultSchema = z.looseObject({
  facetHits: z.array(z.looseObject({ value: z.string(), count: z.number() })),
});
const healthSchema = z.looseObject({ status: z.enum(["available", "degraded"]) });
const errorSchema = z.looseObject({ message: z.string(), code: z.string() });

/** An error that the server found is reported as the reader's; anything unexpected is a bad answer. */
async function forward(
  upstream: Upstream,
  { body, ...request }: Omit<UpstreamRequest, "body"> & { body?: unknown },
  schema: z.ZodType,
): Promise<unknown> {
  const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) };
  const { status, json } = await upstream.send(sent);
  if (status >= 400) {
    const error = errorSchema.safeParse(json);
    if (error.success) throw new ApiError(error.data.code, error.data.message);
  } else if (schema.safeParse(json).success) return json;
  throw new ApiError("remote_bad_response", "The search server did not return a Meilisearch response.");
}
