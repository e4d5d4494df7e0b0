import { type Context, Hono } from "hono";
import type { BlankEnv } from "hono/types";
import * as z from "zod";
import {
  compileSort,
  createAttributePicker,
  filterSteps,
  type OpenedIndex,
  type SearchDocument,
  SearchError,
  type Steps,
  VECTORS,
  type Work,
} from "#search/index.ts";
import { payloadType } from "../payloads/documents.ts";
import { ApiError } from "../protocol/errors.ts";
import {
  closedObject,
  count,
  filter,
  flag,
  list,
  name,
  nullableSearchNames,
  searchNames,
} from "../protocol/fields.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import type { IndexChangeRequest } from "../changes/intake.ts";
import { accessOf } from "../keys/guards.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "../protocol/limits.ts";
import { readJson, requireJson } from "../payloads/request-body.ts";
import { vectorsOf } from "../searches/result-steps.ts";
import { createRequestWork } from "../searches/request-work.ts";
import { runInTurns } from "../searches/turns.ts";
import { snakeCase, validate, type ValidationContext } from "../protocol/validate.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
import { payloadBody } from "./payload-body.ts";
import { QueryParams } from "./query-params.ts";
import { taskAnswer } from "./task-answer.ts";

const id = z.union([name, z.int("an integer")], "a string or an integer");

const fetchSchema = closedObject({
  offset: count.optional(),
  limit: count.optional(),
  fields: nullableSearchNames,
  retrieveVectors: flag.optional(),
  ids: list(id, DEFAULT_LIMITS.documentsPerFetch).nullish(),
  sort: z.union([name, searchNames], "a string or an array").nullish(),
  filter,
});
type FetchBody = z.infer<typeof fetchSchema>;

const documentContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_document_${snakeCase(String(path[0]))}` : "bad_request"),
};

/** `/indexes/:uid/documents`: fetch, add, replace, update, delete. */
export function documentRoutes(options: AdminRouteOptions): Hono {
  const app = new Hono();
  addReadRoutes(app, options);
  app.on(["POST", "PUT"], "/indexes/:uid/documents", (context) => takeDocuments(context, options));
  addDeleteRoutes(app, options);
  return app;
}

function addReadRoutes(app: Hono, { store, limits }: AdminRouteOptions): void {
  function indexOf(uid: string): OpenedIndex {
    checkIndexUid(uid);
    return store.require(uid).index;
  }

  app.get("/indexes/:uid/documents", async (context) => {
    const params = new QueryParams(context.req.url, "document", Object.keys(fetchSchema.shape));
    const filterText = params.text("filter");
    const read = {
      offset: params.count("offset", 0),
      limit: params.count("limit", 20),
      fields: params.list("fields"),
      retrieveVectors: params.flag("retrieveVectors"),
      ids: params.list("ids"),
      sort: params.list("sort"),
      filter: filterText,
    };
    const index = indexOf(context.req.param("uid"));
    const body = validate(fetchSchema, read, documentContext);
    return context.json(await runInTurns(fetchSteps(index, body, limits)));
  });

  app.post("/indexes/:uid/documents/fetch", async (context) => {
    const index = indexOf(context.req.param("uid"));
    const body = validate(fetchSchema, await readJson(context, limits.searchBodyBytes), documentContext);
    return context.json(await runInTurns(fetchSteps(index, body, limits)));
  });

  app.get("/indexes/:uid/documents/:id", (context) => {
    const params = new QueryParams(context.req.url, "document", ["fields", "retrieveVectors"]);
    const index = indexOf(context.req.param("uid"));
    const wanted = context.req.param("id");
    const number = index.findDocument(wanted);
    if (number < 0) throw new ApiError("document_not_found", `Document \`${wanted}\` not found.`);
    const pick = createAttributePicker(params.list("fields") ?? ["*"]);
    return context.json(shown(index, number, { pick, hasVectors: params.flag("retrieveVectors") }));
  });
}

async function takeDocuments(
  context: Context<BlankEnv, "/indexes/:uid/documents">,
  { content, limits }: AdminRouteOptions,
): Promise<Response> {
  const known = ["primaryKey", "csvDelimiter", "skipCreation", "customMetadata"];
  const params = new QueryParams(context.req.url, "document", known);
  const uid = context.req.param("uid");
  checkIndexUid(uid);
  const type = payloadType(context.req.header("content-type"));
  const delimiter = params.text("csvDelimiter");
  if (delimiter !== null && (type !== "text/csv" || !/^[\x20-\x7e\t]$/.test(delimiter))) {
    throw new ApiError(
      "invalid_document_csv_delimiter",
      "csvDelimiter must be one ASCII character and is only for CSV.",
    );
  }
  const customMetadata = params.text("customMetadata");
  const task = await content.change({
    indexUid: uid,
    type: "documentAdditionOrUpdate",
    change: {
      kind: context.req.method === "PUT" ? "update" : "replace",
      form: { type, delimiter: delimiter ?? "," },
      primaryKey: params.text("primaryKey"),
      skipCreation: params.flag("skipCreation"),
      mayCreate: accessOf(context).may("indexes.create", uid),
    },
    body: payloadBody(context, limits.adminBodyBytes),
    ...(customMetadata !== null && { customMetadata }),
  });
  return taskAnswer(context, task);
}

function addDeleteRoutes(app: Hono, { content, limits }: AdminRouteOptions): void {
  async function deleteDocuments(
    context: Context<BlankEnv, "/indexes/:uid/*">,
    kind: "deleteIds" | "deleteAll" | "deleteFilter",
    body?: IndexChangeRequest["body"],
  ): Promise<Response> {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const customMetadata = new URL(context.req.url).searchParams.get("customMetadata");
    const task = await content.change({
      indexUid: uid,
      type: "documentDeletion",
      change: { kind },
      ...(body ? { body } : { details: { providedIds: 0, deletedDocuments: null, originalFilter: null } }),
      ...(customMetadata !== null && { customMetadata }),
    });
    return taskAnswer(context, task);
  }

  app.delete("/indexes/:uid/documents", (context) => deleteDocuments(context, "deleteAll"));

  app.delete("/indexes/:uid/documents/:id", (context) =>
    deleteDocuments(context, "deleteIds", { value: [context.req.param("id")] }),
  );

  app.post("/indexes/:uid/documents/delete-batch", (context) => {
    requireJson(context);
    return deleteDocuments(context, "deleteIds", payloadBody(context, limits.adminBodyBytes));
  });

  app.post("/indexes/:uid/documents/delete", (context) => {
    requireJson(context);
    return deleteDocuments(context, "deleteFilter", payloadBody(context, limits.searchBodyBytes));
  });
}

function* fetchSteps(index: OpenedIndex, body: FetchBody, limits: SearchLimits) {
  const work = createRequestWork({ limits, now: () => performance.now() });
  const offset = body.offset ?? 0;
  const limit = Math.min(body.limit ?? 20, limits.documentsPerFetch);
  const found = yield* asDocumentErrors(matchingSteps(index, body, work));
  const pick = createAttributePicker(body.fields ?? ["*"]);
  const hasVectors = body.retrieveVectors === true;
  const page = found.slice(offset, offset + limit);
  const results: SearchDocument[] = [];
  for (const number of page) {
    const document = shown(index, number, { pick, hasVectors });
    // A document larger than the limit could otherwise never be read.
    if (work.hasRoomFor?.(document) === false && results.length > 0)
      throw tooLarge(page.length, results.length);
    results.push(document);
    yield;
  }
  return { results, offset, limit, total: found.length };
}

/** A document as it was sent; its vectors only on request. */
function shown(
  index: OpenedIndex,
  number: number,
  { pick, hasVectors }: { pick: (document: SearchDocument) => SearchDocument; hasVectors: boolean },
): SearchDocument {
  const document = pick(index.readDocument(number, (name) => name !== VECTORS));
  return hasVectors ? { ...document, ...vectorsOf(index, number) } : document;
}

/** Refused, not cut: a client that reads page after page would skip the missing documents. */
function tooLarge(asked: number, fitting: number): ApiError {
  return new ApiError(
    "invalid_document_limit",
    `The ${asked} requested documents are too large for one response. The first ${fitting} of them fit: ` +
      "request that many at once (`limit`), or fewer `fields`.",
  );
}

/** The documents of all pages, in order. */
function* matchingSteps(index: OpenedIndex, { filter, ids, sort }: FetchBody, work: Work): Steps<number[]> {
  const set = yield* filterSteps(index, filter ?? undefined, work);
  const candidates = ids
    ? [...new Set(ids.map((wantedId) => index.findDocument(wantedId)))].filter((number) => number >= 0)
    : Array.from({ length: index.documentCount }, (_, number) => number);
  const found = set ? candidates.filter((number) => set[number] === 1) : candidates;
  const rules = typeof sort === "string" ? sort.split(",") : sort;
  return rules?.length ? found.sort(compileSort(index, [...new Set(rules)]).compare) : found;
}

/** The same errors have other codes on the document routes. */
function* asDocumentErrors<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (cause) {
    if (!(cause instanceof SearchError)) throw cause;
    throw new ApiError(cause.code.replace("invalid_search_", "invalid_document_"), cause.message, { cause });
  }
}
