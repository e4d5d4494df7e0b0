import { Hono } from "hono";
import * as z from "zod";
import { coversPath, type OpenedIndex, VECTORS } from "#search/index.ts";
import type { ContentService } from "../changes/content-service.ts";
import type { SearchStore } from "../catalog/store.ts";
import type { Access } from "../keys/access.ts";
import { accessOf } from "../keys/guards.ts";
import { readJson } from "../payloads/request-body.ts";
import { ApiError } from "../protocol/errors.ts";
import { closedObject, name, record, shortText } from "../protocol/fields.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import { MAX_PINNED_ID_LENGTH, MAX_TEMPLATE_LENGTH, type SearchLimits } from "../protocol/limits.ts";
import { validate, type ValidationContext } from "../protocol/validate.ts";
import type { TemplateScope } from "../templates/render-worker.ts";
import { createRenderer, type Renderer } from "../templates/renderer.ts";

/** Kinds that belong to features that this server does not have: fragments and chats. */
const OTHER_TEMPLATES = ["inlineFragment", "indexingFragment", "searchFragment", "chatDocumentTemplate"];

const inlineTemplate = closedObject({
  kind: z.literal("inlineDocumentTemplate"),
  inline: shortText(MAX_TEMPLATE_LENGTH),
});
const embedderTemplate = closedObject({
  kind: z.literal("documentTemplate"),
  indexUid: name,
  embedder: name,
});
const inlineDocument = closedObject({ kind: z.literal("inlineDocument"), inline: record(z.unknown()) });
const indexDocument = closedObject({
  kind: z.literal("indexDocument"),
  indexUid: name,
  id: z.union([shortText(MAX_PINNED_ID_LENGTH), z.int("an integer")], "a string or an integer"),
});

const schema = closedObject({
  template: z.discriminatedUnion("kind", [inlineTemplate, embedderTemplate], {
    error: "an object with `kind`: `inlineDocumentTemplate` or `documentTemplate`",
  }),
  input: z
    .discriminatedUnion("kind", [inlineDocument, indexDocument], {
      error: "an object with `kind`: `inlineDocument` or `indexDocument`",
    })
    .nullish(),
});

type Body = z.infer<typeof schema>;

const context: ValidationContext = {
  codeOf: ([field]) =>
    field === "template" || field === "input" ? `invalid_render_${field}` : "bad_request",
  missingCodeOf: (path) => `${path.length > 1 ? "invalid" : "missing"}_render_${String(path[0])}`,
};

interface TemplateOptions {
  store: SearchStore;
  content: Pick<ContentService, "features">;
  limits: SearchLimits;
  renderer?: Renderer;
}

/** `/render-template`: what a template makes of a document, such as the text that an embedder of an index would read. */
export function templateRoutes({
  store,
  content,
  limits,
  renderer = createRenderer(),
}: TemplateOptions): Hono {
  const app = new Hono();
  app.post("/render-template", async (request) => {
    const access = accessOf(request);
    access.require("settings.get");
    content.features.require("renderRoute", "Calling the `/render-template` route");
    const json = await readJson(request, limits.searchBodyBytes);
    refuseOthers(json);
    const { template, input } = validate(schema, json, context);
    const text = readTemplate(template, { store, access });
    const rendered = input == null ? null : await renderer.render(text, readScope(input, { store, access }));
    return request.json({ template: text, rendered });
  });
  return app;
}

/** @throws ApiError that names what this server does not have, instead of calling the word unknown */
function refuseOthers(json: unknown): void {
  const kind = (json as { template?: { kind?: unknown } } | null)?.template?.kind;
  if (typeof kind === "string" && OTHER_TEMPLATES.includes(kind))
    throw new ApiError(
      "feature_not_enabled",
      `Templates of the kind \`${kind}\`: not supported by this server.`,
    );
}

interface Reader {
  store: SearchStore;
  access: Access;
}

function readTemplate(template: Body["template"], { store, access }: Reader): string {
  if (template.kind === "inlineDocumentTemplate") return template.inline;
  const { indexUid, embedder } = template;
  checkIndexUid(indexUid);
  access.require("settings.get", indexUid);
  const known = new Map(Object.entries(store.require(indexUid).protocol.embedders ?? {}));
  const text = known.get(embedder)?.documentTemplate;
  if (text !== undefined) return text;
  const reason = known.has(embedder) ? "has no template for documents" : "does not exist";
  throw new ApiError(
    "invalid_render_template",
    `The embedder \`${embedder}\` of the index \`${indexUid}\` ${reason}.`,
  );
}

function readScope(input: NonNullable<Body["input"]>, { store, access }: Reader): TemplateScope {
  if (input.kind === "inlineDocument") return scopeOf(input.inline, () => true);
  const { indexUid, id } = input;
  checkIndexUid(indexUid);
  access.require("documents.get", indexUid);
  const { index } = store.require(indexUid);
  const { searchableAttributes } = index.settings;
  return scopeOf(readDocument(index, { indexUid, id }), (field) => coversPath(searchableAttributes, field));
}

function readDocument(index: OpenedIndex, { indexUid, id }: { indexUid: string; id: string | number }) {
  const document = index.findDocument(id);
  if (document >= 0) return index.readDocument(document, (field) => field !== VECTORS);
  throw new ApiError(
    "render_document_not_found",
    `Document \`${String(id)}\` not found in index \`${indexUid}\`.`,
  );
}

function scopeOf(doc: TemplateScope["doc"], isSearchable: (field: string) => boolean): TemplateScope {
  const fields = Object.entries(doc).map(([field, value]) => ({
    name: field,
    value,
    is_searchable: isSearchable(field),
  }));
  return { doc, fields };
}
