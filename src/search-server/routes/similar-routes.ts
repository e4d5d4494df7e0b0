import { type Context, Hono } from "hono";
import type { BlankEnv } from "hono/types";
import * as z from "zod";
import { filterSteps, findSteps, type SearchQuery, type Steps, VECTORS } from "#search/index.ts";
import { Answer } from "../answers/answer.ts";
import { answerSteps } from "../answers/answer-steps.ts";
import type { SearchStore } from "../catalog/store.ts";
import { accessOf, judgeSearches, type Restrict } from "../keys/guards.ts";
import { parseJsonBody } from "../payloads/parse-json-body.ts";
import { readText, requireJson } from "../payloads/request-body.ts";
import type { Filter } from "../keys/search-rules.ts";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, count, filter, flag, name, nullableSearchNames } from "../protocol/fields.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import type { SearchLimits } from "../protocol/limits.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";
import { translateErrors } from "../searches/engine-errors.ts";
import { checkFilterLength, toHitJson } from "../searches/json.ts";
import { readDecimal, readFilter } from "../searches/params.ts";
import type { SearchQueue } from "../searches/queue.ts";
import { createStages } from "../searches/request-extras.ts";
import { createRequestWork } from "../searches/request-work.ts";
import { resultSteps } from "../searches/result-steps.ts";
import { createShape } from "../searches/shape-hit.ts";
import { betweenZeroAndOne } from "../searches/schema.ts";
import { embedderOf, toFound } from "../searches/semantic.ts";
import { nearestSteps } from "../vectors/nearest.ts";
import { storedVectors } from "../vectors/stored-vectors.ts";
import { QueryParams } from "./query-params.ts";
import { refuseMethod } from "./refuse.ts";

const similarSchema = closedObject({
  id: z.union([name, z.int("an integer")], "a string or an integer"),
  embedder: name,
  offset: count.optional(),
  limit: count.optional(),
  filter,
  attributesToRetrieve: nullableSearchNames,
  retrieveVectors: flag.optional(),
  showRankingScore: flag.optional(),
  showRankingScoreDetails: flag.optional(),
  showPerformanceDetails: flag.optional(),
  rankingScoreThreshold: betweenZeroAndOne("rankingScoreThreshold").nullish(),
});

type SimilarBody = z.infer<typeof similarSchema>;

const similarContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_similar_${snakeCase(String(path[0]))}` : "bad_request"),
  missingCodeOf: (path) => `missing_similar_${snakeCase(String(path[0]))}`,
};

interface SimilarOptions {
  store: SearchStore;
  limits: SearchLimits;
  now: () => number;
  queue: SearchQueue;
  /** Whether anyone may search an index. */
  isPublic: (uid: string) => boolean;
}

/** `/indexes/:uid/similar`: the documents whose vectors are most similar to a document's. */
export function similarRoutes(options: SimilarOptions): Hono {
  const { limits, queue, isPublic } = options;
  const app = new Hono();

  async function answer(context: Context<BlankEnv, "/indexes/:uid/similar">, read: () => unknown) {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const { restrict } = judgeSearches(accessOf(context), isPublic);
    const arrived = options.now();
    return (await queue.run(similarSteps(uid, read, { ...options, restrict, arrived }))).send(context);
  }

  app.post("/indexes/:uid/similar", async (context) => {
    requireJson(context);
    const text = await readText(context, limits.searchBodyBytes);
    return answer(context, () => parseJsonBody(text));
  });
  app.get("/indexes/:uid/similar", (context) => answer(context, () => bodyOf(context.req.url)));
  app.all("/indexes/:uid/similar", refuseMethod);
  return app;
}

function bodyOf(url: string): unknown {
  const params = new QueryParams(url, "similar", Object.keys(similarSchema.shape));
  const flagOf = (name: string) => (params.text(name) === null ? undefined : params.flag(name));
  const countOf = (name: string) => (params.text(name) === null ? undefined : params.count(name, 0));
  const [threshold, filterText] = [params.text("rankingScoreThreshold"), params.text("filter")];
  return Object.fromEntries(
    Object.entries({
      id: params.text("id") ?? undefined,
      embedder: params.text("embedder") ?? undefined,
      offset: countOf("offset"),
      limit: countOf("limit"),
      filter: filterText === null ? undefined : readFilter(filterText),
      attributesToRetrieve: params.list("attributesToRetrieve") ?? undefined,
      retrieveVectors: flagOf("retrieveVectors"),
      showRankingScore: flagOf("showRankingScore"),
      showRankingScoreDetails: flagOf("showRankingScoreDetails"),
      showPerformanceDetails: flagOf("showPerformanceDetails"),
      rankingScoreThreshold:
        threshold === null ? undefined : readDecimal(threshold, "similar", "rankingScoreThreshold"),
    }).filter(([, value]) => value !== undefined),
  );
}

function* similarSteps(
  uid: string,
  read: () => unknown,
  { store, limits, now, restrict, arrived }: SimilarOptions & { restrict: Restrict; arrived: number },
): Steps<Answer> {
  const body = validate(similarSchema, read(), similarContext);
  const [rule, narrowed] = [restrict(uid, null), restrict(uid, body.filter)];
  const stages = body.showPerformanceDetails ? createStages() : null;
  const started = now();
  const query = {
    ...toQuery({ ...body, filter: narrowed }, limits),
    now,
    work: createRequestWork({ limits, now }),
  };
  const { hits, total } = yield* translateErrors(
    uid,
    findSimilar(store, uid, { body, rule, restrict, query: { ...query, ...(stages && { trace: stages }) } }),
  );
  const ms = now() - started;
  return yield* answerSteps({
    hits,
    id: String(body.id),
    processingTimeMs: Math.floor(ms),
    limit: query.limit,
    offset: query.offset,
    estimatedTotalHits: total,
    ...(stages && { performanceDetails: stages.toJson(ms, started - arrived) }),
  });
}

function toQuery(body: SimilarBody, limits: SearchLimits) {
  return {
    q: "",
    offset: body.offset ?? 0,
    limit: body.limit ?? 20,
    ...(body.filter != null && { filter: checkFilterLength(body.filter, limits) }),
    ...(body.attributesToRetrieve != null && { retrieve: [...new Set(body.attributesToRetrieve)] }),
    ...(body.showRankingScore && { showScore: true }),
    ...(body.showRankingScoreDetails && { showScoreDetails: true }),
  } satisfies SearchQuery;
}

type Query = ReturnType<typeof toQuery> & Required<Pick<SearchQuery, "work">> & SearchQuery;

function* findSimilar(
  store: SearchStore,
  uid: string,
  { body, query, rule, restrict }: { body: SimilarBody; query: Query; rule: Filter; restrict: Restrict },
) {
  const stored = store.require(uid);
  const { index } = stored;
  const embedder = embedderOf(stored, body.embedder, "invalid_similar_embedder");
  const filter = yield* filterSteps(index, query.filter, query.work);
  const source = index.findDocument(body.id);
  const visible = rule == null ? null : yield* filterSteps(index, rule, query.work);
  // A document that the sender may not find is one that does not exist.
  if (source < 0 || (visible && visible[source] !== 1)) throw notFound(body.id);
  const [vector] = storedVectors(index.readDocument(source, (name) => name === VECTORS)).get(body.embedder)
    ?.embeddings ?? [null];
  const near = vector
    ? yield* nearestSteps(index, { name: body.embedder, embedder, vector, filter, work: query.work })
    : [];
  const least = body.rankingScoreThreshold ?? 0;
  const found = near.filter(({ document, similarity }) => document !== source && similarity >= least);
  const most = index.settings.maxTotalHits;
  const shown = found.slice(Math.min(query.offset, most), Math.min(query.offset + query.limit, most));
  const page = yield* findSteps(index, { ...query, offset: 0, limit: 0 });
  const result = yield* resultSteps(
    index,
    query,
    { ...page, hits: shown.map(toFound) },
    createShape(stored, { store, hasVectors: body.retrieveVectors === true, restrict, work: query.work }),
  );
  return { hits: result.hits.map(toHitJson), total: Math.min(found.length, most) };
}

function notFound(id: string | number): ApiError {
  return new ApiError("not_found_similar_id", `Document \`${id}\` not found.`);
}
