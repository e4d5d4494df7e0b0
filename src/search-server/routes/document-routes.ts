import { type Context, Hono } from "hono";
import type { BlankEnv } from "hono/types";
import * as z from "zod";
import { evaluateFilter } from "#search/filter/evaluate.ts";
import { pickAttributes } from "#search/format/format-document.ts";
import { compileSort } from "#search/sort/compile-sort.ts";
import { getDocument, type OpenedIndex, SearchError } from "#search/index.ts";
import { payloadType } from "../documents-payload.ts";
import { ApiError } from "../errors.ts";
import { closedObject, count, filter, flag, names, nullableNames, text } from "../fields.ts";
import { checkIndexUid } from "../index-uid.ts";
import type { IndexChangeRequest } from "../intake.ts";
import { accessOf } from "../keys/guards.ts";
import { readJson, requireJson } from "../request-body.ts";
import { snakeCase, validate, type ValidationContext } from "../validate.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
import { payloadBody } from "./payload-body.ts";
import { QueryParams } from "./query-params.ts";
import { taskAnswer } from "./task-answer.ts";

const id = z.union([text, z.int("an integer")], "a string or an integer");

const fetchSchema = closedObject({
  offset: count.optional(),
  limit: count.optional(),
  fields: nullableNames,
  retrieveVectors: flag.optional(),
  ids: z.array(id, "an array").nullish(),
  sort: z.union([text, names], "a string or an array").nullish(),
  filter,
});
type FetchBody = z.infer<typeof fetchSchema>;

const documentContext: ValidationContext = {
  codeOf: (path) => (path.length > 0 ? `invalid_document_${snakeCase(String(path[0]))}` : "bad_request"),
};

/** `/indexes/:uid/documents`: fetch, add, replace, update, delete. */
export function documentRoutes({ store, content, limits }: AdminRouteOptions): Hono {
  const app = new Hono();

  function indexOf(uid: string): OpenedIndex {
    checkIndexUid(uid);
    return store.require(uid).index;
  }

  app.get("/indexes/:uid/documents", (context) => {
    const params = new QueryParams(context.req.url, "document", Object.keys(fetchSchema.shape));
    const filterText = params.text("filter");
    const body: FetchBody = {
      offset: params.count("offset", 0),
      limit: params.count("limit", 20),
      fields: params.list("fields"),
      ids: params.list("ids"),
      sort: params.list("sort"),
      filter: filterText,
    };
    return context.json(fetchDocuments(indexOf(context.req.param("uid")), body, limits.documentsPerFetch));
  });

  app.post("/indexes/:uid/documents/fetch", async (context) => {
    const index = indexOf(context.req.param("uid"));
    const body = validate(fetchSchema, await readJson(context, limits.searchBodyBytes), documentContext);
    return context.json(fetchDocuments(index, body, limits.documentsPerFetch));
  });

  app.get("/indexes/:uid/documents/:id", (context) => {
    const params = new QueryParams(context.req.url, "document", ["fields", "retrieveVectors"]);
    const index = indexOf(context.req.param("uid"));
    const wanted = context.req.param("id");
    const document = getDocument(index, wanted);
    if (!document) throw new ApiError("document_not_found", `Document \`${wanted}\` not found.`);
    return context.json(pickAttributes(document, params.list("fields") ?? ["*"]));
  });

  app.on(["POST", "PUT"], "/indexes/:uid/documents", async (context) => {
    const known = ["primaryKey", "csvDelimiter", "skipCreation", "customMetadata"];
    const params = new QueryParams(context.req.url, "document", known);
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const type = payloadType(context.req.header("content-type"));
    const delimiter = params.text("csvDelimiter");
    if (delimiter !== null && (type !== "text/csv" || !/^[\x20-\x7e\t]$/.test(delimiter))) {
      throw new ApiError(
        "invalid_document_csv_delimiter",
        "csvDelimiter is one ASCII character and only for CSV.",
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
  });

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

  return app;
}

function fetchDocuments(index: OpenedIndex, body: FetchBody, maximum: number) {
  const offset = body.offset ?? 0;
  const limit = Math.min(body.limit ?? 20, maximum);
  let found = matchingIds(index, body.filter);
  if (body.ids) {
    const passing = new Set(found);
    const wanted = new Set(body.ids.map((wantedId) => index.findDocument(wantedId)));
    found = [...wanted].filter((number) => passing.has(number));
  }
  const sort = typeof body.sort === "string" ? body.sort.split(",") : body.sort;
  if (sort?.length) found = asDocumentErrors(() => found.sort(compileSort(index, sort).compare));
  const results = found
    .slice(offset, offset + limit)
    .map((id) => pickAttributes(index.document(id), body.fields ?? ["*"]));
  return { results, offset, limit, total: found.length };
}

function matchingIds(index: OpenedIndex, wanted: FetchBody["filter"]): number[] {
  const set = wanted == null ? null : asDocumentErrors(() => evaluateFilter(index, wanted));
  const ids: number[] = [];
  for (let id = 0; id < index.documentCount; id++) if (!set || set[id] === 1) ids.push(id);
  return ids;
}

/** The same mistakes have other codes on the document routes. */
function asDocumentErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof SearchError)) throw cause;
    throw new ApiError(cause.code.replace("invalid_search_", "invalid_document_"), cause.message, { cause });
  }
}
