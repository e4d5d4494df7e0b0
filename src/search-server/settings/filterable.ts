/**
 * Filterable attributes in Meilisearch's fine-grained form: patterns, each with its features. Here every feature of a
 * named pattern is on; the form is kept so that clients read back what they wrote.
 */
import * as z from "zod";
import { closedObject, flag, list, names, text } from "../protocol/fields.ts";
import { MAX_SETTING_ITEMS } from "../protocol/limits.ts";

const attributePatterns = closedObject({
  attributePatterns: names,
  features: closedObject({
    facetSearch: flag.default(false),
    filter: closedObject({ equality: flag.default(true), comparison: flag.default(false) }).prefault({}),
  }).nullish(),
});

export const filterableAttributes = list(
  z.union([text, attributePatterns], "a string or an object"),
  MAX_SETTING_ITEMS,
).nullish();

type Body = z.infer<typeof filterableAttributes>;
export type FilterableAttribute = NonNullable<Body>[number];

const DEFAULT_FEATURES = { facetSearch: false, filter: { equality: true, comparison: false } };

/** What is to be kept besides the names; null when names are all that was written. */
export function toFilterable(body: Body): FilterableAttribute[] | null {
  if (!body?.some((entry) => typeof entry !== "string")) return null;
  return body.map((entry) =>
    typeof entry === "string" ? entry : { ...entry, features: entry.features ?? DEFAULT_FEATURES },
  );
}
