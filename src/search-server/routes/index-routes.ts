import { Hono } from "hono";
import * as z from "zod";
import type { ContentService } from "../changes/content-service.ts";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, flag, list, text } from "../protocol/fields.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import { accessOf } from "../keys/guards.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "../protocol/limits.ts";
import { readJson } from "../payloads/request-body.ts";
import type { SearchStore, StoredIndex, UnusableIndex } from "../catalog/store.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";
import { QueryParams } from "./query-params.ts";
import { indexStats } from "./status-routes.ts";
import { taskAnswer } from "./task-answer.ts";

export interface AdminRouteOptions {
  store: SearchStore;
  content: ContentService;
  limits: SearchLimits;
}

const createSchema = closedObject({ uid: text, primaryKey: text.nullish() });
const updateSchema = closedObject({ primaryKey: text.nullish(), uid: text.nullish() });
const swapSchema = list(
  closedObject({
    // A tuple of another length checks no item.
    indexes: z.tuple([text, text], {
      error: ({ code }) => (code === "invalid_type" ? "an array" : "two indexes must be given for each swap"),
    }),
    rename: flag.nullish(),
  }),
  DEFAULT_LIMITS.swapsPerRequest,
);

const indexContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_index_${snakeCase(String(path[0]))}` : "bad_request"),
  missingCodeOf: () => "missing_index_uid",
};
const swapContext: ValidationContext = {
  codeOf: (path) =>
    path.includes("rename")
      ? "invalid_swap_rename"
      : path.includes("indexes")
        ? "invalid_swap_indexes"
        : "bad_request",
  missingCodeOf: () => "missing_swap_indexes",
};

/** `/indexes` and `/swap-indexes`. */
export function indexRoutes(options: AdminRouteOptions): Hono {
  const app = new Hono();
  addReadRoutes(app, options);
  addWriteRoutes(app, options);
  addSwapRoute(app, options);
  return app;
}

function addReadRoutes(app: Hono, { store, content }: AdminRouteOptions): void {
  app.get("/indexes", (context) => {
    const params = new QueryParams(context.req.url, "index", ["offset", "limit"]);
    const [offset, limit] = [params.count("offset", 0), params.count("limit", 20)];
    const { sees } = accessOf(context);
    const all = [...store.list().map(indexJson), ...store.unusable().map(unusableJson)]
      .filter(({ uid }) => sees(uid) && content.isListed(uid))
      .sort((a, b) => (a.uid < b.uid ? -1 : 1));
    const results = all.slice(offset, offset + limit);
    return context.json({ results, offset, limit, total: all.length });
  });

  app.get("/indexes/:uid", (context) => context.json(indexJson(required(store, context.req.param("uid")))));

  app.get("/indexes/:uid/stats", (context) => {
    const stored = required(store, context.req.param("uid"));
    return context.json(indexStats(stored, content.tasks.isProcessing(stored.uid)));
  });
}

function addWriteRoutes(app: Hono, { content, limits }: AdminRouteOptions): void {
  app.post("/indexes", async (context) => {
    const body = validate(createSchema, await readJson(context, limits.searchBodyBytes), indexContext);
    checkIndexUid(body.uid);
    accessOf(context).require("indexes.create", body.uid);
    const primaryKey = body.primaryKey ?? null;
    return taskAnswer(
      context,
      await content.enqueue({
        indexUid: body.uid,
        type: "indexCreation",
        details: { primaryKey },
        work: { kind: "createIndex", primaryKey },
      }),
    );
  });

  app.patch("/indexes/:uid", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const body = validate(updateSchema, await readJson(context, limits.searchBodyBytes), indexContext);
    const primaryKey = body.primaryKey ?? null;
    const to = body.uid ?? uid;
    checkIndexUid(to);
    const isRenamed = to !== uid;
    if (isRenamed) accessOf(context).require("indexes.update", to);
    const details = { primaryKey, ...(isRenamed && { oldIndexUid: uid, newIndexUid: to }) };
    return taskAnswer(
      context,
      await content.enqueue({
        indexUid: uid,
        type: "indexUpdate",
        details,
        work: isRenamed
          ? { kind: "rename", to, primaryKey }
          : primaryKey === null
            ? { kind: "report" }
            : { kind: "change", change: { kind: "primaryKey", primaryKey } },
      }),
    );
  });

  app.delete("/indexes/:uid", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    return taskAnswer(
      context,
      await content.enqueue({ indexUid: uid, type: "indexDeletion", work: { kind: "deleteIndex" } }),
    );
  });
}

function addSwapRoute(app: Hono, { content, limits }: AdminRouteOptions): void {
  app.post("/swap-indexes", async (context) => {
    const body = validate(swapSchema, await readJson(context, limits.searchBodyBytes), swapContext);
    const swaps = body.map(({ indexes, rename }) => ({ indexes, rename: rename ?? false }));
    const pairs = swaps.map(({ indexes }) => indexes);
    for (const uid of pairs.flat()) {
      checkIndexUid(uid);
      accessOf(context).require("indexes.swap", uid);
    }
    refuseRepeated(pairs.flat());
    return taskAnswer(
      context,
      await content.enqueue({
        indexUid: null,
        type: "indexSwap",
        details: { swaps },
        work: { kind: "swap", pairs, renamed: swaps.map(({ rename }) => rename) },
      }),
    );
  });
}

function refuseRepeated(uids: readonly string[]): void {
  const repeated = uids.find((uid, at) => uids.indexOf(uid) !== at);
  if (repeated === undefined) return;
  throw new ApiError(
    "invalid_swap_duplicate_index_found",
    `Indexes must be declared only once during a swap. \`${repeated}\` was specified several times.`,
  );
}

function required(store: SearchStore, uid: string): StoredIndex {
  checkIndexUid(uid);
  return store.require(uid);
}

/** Listed so that it can be found and deleted. */
function unusableJson({ uid, createdAt, updatedAt }: UnusableIndex) {
  return { uid, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), primaryKey: null };
}

function indexJson(stored: StoredIndex) {
  return {
    uid: stored.uid,
    createdAt: stored.createdAt.toISOString(),
    updatedAt: stored.updatedAt.toISOString(),
    primaryKey: stored.index.settings.primaryKey || null,
  };
}
