import { type Context, Hono } from "hono";
import * as z from "zod";
import { evaluateFilter } from "#search/filter/evaluate.ts";
import { pickAttributes } from "#search/format/format-document.ts";
import { compileSort } from "#search/sort/compile-sort.ts";
import { getDocument, type OpenedIndex, SearchError } from "#search/index.ts";
import type { DocumentOperation } from "../document-operations.ts";
import { parseDocuments, payloadType } from "../documents-payload.ts";
import { ApiError } from "../errors.ts";
import { closedObject, count, filter, flag, names, nullableNames, text } from "../fields.ts";
import { checkIndexUid } from "../index-uid.ts";
import { accessOf } from "../keys/guards.ts";
import { readJson, readText } from "../request-body.ts";
import { snakeCase, validate, type ValidationContext } from "../validate.ts";
import type { AdminRouteOptions } from "./index-routes.ts";
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

const deleteByFilterSchema = closedObject({ filter });

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
    const documents = parseDocuments(await readText(context, limits.adminBodyBytes), type, delimiter ?? ",");
    const operation = {
      kind: context.req.method === "PUT" ? ("update" as const) : ("replace" as const),
      documents,
      primaryKey: params.text("primaryKey"),
      skipCreation: params.flag("skipCreation"),
    };
    const customMetadata = params.text("customMetadata");
    return taskAnswer(
      context,
      content.enqueue({
        indexUid: uid,
        type: "documentAdditionOrUpdate",
        details: { receivedDocuments: documents.length, indexedDocuments: null },
        work: { kind: "documents", operation, mayCreate: accessOf(context).may("indexes.create", uid) },
        ...(customMetadata !== null && { customMetadata }),
      }),
    );
  });

  function enqueueDeletion(
    context: Context,
    uid: string,
    operation: Extract<DocumentOperation, { kind: "deleteIds" | "deleteAll" | "deleteFilter" }>,
  ): Response {
    checkIndexUid(uid);
    const customMetadata = new URL(context.req.url).searchParams.get("customMetadata");
    const task = content.enqueue({
      indexUid: uid,
      type: "documentDeletion",
      details: {
        providedIds: operation.kind === "deleteIds" ? operation.ids.length : 0,
        deletedDocuments: null,
        originalFilter: operation.kind === "deleteFilter" ? JSON.stringify(operation.filter) : null,
      },
      work: { kind: "documents", operation, mayCreate: false },
      ...(customMetadata !== null && { customMetadata }),
    });
    return taskAnswer(context, task);
  }

  app.delete("/indexes/:uid/documents", (context) =>
    enqueueDeletion(context, context.req.param("uid"), { kind: "deleteAll" }),
  );

  app.delete("/indexes/:uid/documents/:id", (context) =>
    enqueueDeletion(context, context.req.param("uid"), { kind: "deleteIds", ids: [context.req.param("id")] }),
  );

  app.post("/indexes/:uid/documents/delete-batch", async (context) => {
    const body = await readJson(context, limits.adminBodyBytes);
    const ids = validate(z.array(id, "an array"), body, { codeOf: () => "bad_request" }).map(String);
    return enqueueDeletion(context, context.req.param("uid"), { kind: "deleteIds", ids });
  });

  app.post("/indexes/:uid/documents/delete", async (context) => {
    const body = await readJson(context, limits.searchBodyBytes);
    const { filter } = validate(deleteByFilterSchema, body, documentContext);
    if (filter == null) throw new ApiError("missing_document_filter", "Missing field `filter`");
    return enqueueDeletion(context, context.req.param("uid"), { kind: "deleteFilter", filter });
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
