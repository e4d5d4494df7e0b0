import { Hono } from "hono";
import * as z from "zod";
import { coversPath, facetOrderOf, type OpenedIndex, VECTORS } from "#search/index.ts";
import { closedObject, count, flag, names } from "../protocol/fields.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import { readJson } from "../payloads/request-body.ts";
import type { ProtocolSettings } from "../settings/json.ts";
import { validate } from "../protocol/validate.ts";
import type { AdminRouteOptions } from "./index-routes.ts";

const TOGGLES = ["displayed", "searchable", "sortable", "distinct", "rankingRule", "filterable"] as const;

const fieldsSchema = closedObject({
  offset: count.optional(),
  limit: count.optional(),
  filter: closedObject({
    attributePatterns: names.nullish(),
    ...(Object.fromEntries(TOGGLES.map((name) => [name, flag.nullish()])) as {
      [Name in (typeof TOGGLES)[number]]: z.ZodOptional<z.ZodNullable<z.ZodBoolean>>;
    }),
  }).nullish(),
});

/** `/indexes/:uid/fields`: the documents' attributes and how the settings treat each of them. */
export function fieldRoutes({ store, limits }: AdminRouteOptions): Hono {
  const app = new Hono();
  app.post("/indexes/:uid/fields", async (context) => {
    const uid = context.req.param("uid");
    checkIndexUid(uid);
    const { index, protocol } = store.require(uid);
    const body = validate(fieldsSchema, await readJson(context, limits.searchBodyBytes), {
      codeOf: () => "bad_request",
    });
    const [offset, limit] = [body.offset ?? 0, body.limit ?? 20];
    const found = Object.keys(index.fieldCounts)
      .filter((name) => name !== VECTORS)
      .toSorted()
      .map((name) => describeField(name, index, protocol))
      .filter((field) => passes(field, body.filter ?? {}));
    return context.json({ results: found.slice(offset, offset + limit), offset, limit, total: found.length });
  });
  return app;
}

type Field = ReturnType<typeof describeField>;

function describeField(name: string, index: OpenedIndex, protocol: ProtocolSettings) {
  const { settings } = index;
  const rule = settings.rankingRules.find((rule) => rule === `${name}:asc` || rule === `${name}:desc`);
  const isFilterable = coversPath(settings.filterableAttributes, name);
  const locales = protocol.localizedAttributes?.find(({ attributePatterns }) =>
    coversPath(attributePatterns, name),
  )?.locales;
  return {
    name,
    displayed: { enabled: coversPath(settings.displayedAttributes, name) },
    searchable: { enabled: coversPath(settings.searchableAttributes, name) },
    sortable: { enabled: coversPath(settings.sortableAttributes, name) },
    distinct: { enabled: settings.distinctAttribute === name },
    rankingRule: { enabled: rule !== undefined, ...(rule && { order: rule.slice(name.length + 1) }) },
    filterable: {
      enabled: isFilterable,
      sortBy: facetOrderOf(settings, name),
      facetSearch: isFilterable && (protocol.facetSearch ?? true),
      equality: isFilterable,
      comparison: isFilterable,
    },
    localized: { locales: locales ?? [] },
  };
}

function passes(field: Field, filter: NonNullable<z.infer<typeof fieldsSchema>["filter"]>): boolean {
  if (filter.attributePatterns && !coversPath(filter.attributePatterns, field.name)) return false;
  return TOGGLES.every((name) => filter[name] == null || field[name].enabled === filter[name]);
}
