/** The protocol's settings as an index file keeps them. Fields that are not known are of a newer version, and left out. */
import * as z from "zod";
import type { Embedders } from "./embedders.ts";
import type { FilterableAttribute } from "./filterable.ts";
import type { ProtocolSettings } from "./json.ts";

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

export const keptSettings = z.object({
  proximityPrecision: z.enum(["byWord", "byAttribute"]).optional(),
  facetSearch: z.boolean().optional(),
  localizedAttributes: z
    .array(z.object({ attributePatterns: z.array(z.string()), locales: z.array(z.string()) }))
    .optional(),
  // Checked when they were set; the file has a checksum.
  filterableAttributes: z.custom<FilterableAttribute[]>(Array.isArray).optional(),
  foreignKeys: z.array(z.object({ foreignIndexUid: z.string(), fieldName: z.string() })).optional(),
  embedders: z.custom<Embedders>(isObject).optional(),
  embedded: z.object({ documents: z.int(), embeddings: z.int() }).optional(),
}) satisfies z.ZodType<ProtocolSettings>;
