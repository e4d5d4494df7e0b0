/**
 * Embedders: how an index's documents get vectors. Clients send the vectors (`_vectors`), whatever the source is: this server
 * runs no model and calls none. The settings of other sources are kept, so that an index can move here with its vectors;
 * documents without vectors are then refused, instead of never being found.
 */
import * as z from "zod";
import { closedObject, decimal, flag, record, text } from "../protocol/fields.ts";
import { MAX_EMBEDDERS, MAX_VECTOR_LENGTH } from "../protocol/limits.ts";

const SOURCES = ["userProvided", "openAi", "huggingFace", "ollama", "rest"] as const;

const share = decimal.min(0, "a number from 0 to 1").max(1, "a number from 0 to 1");
const parameter = text.max(10_000, "it has more than 10000 characters").nullish();

const embedder = closedObject({
  source: z.enum(SOURCES, "a string").nullish(),
  dimensions: z.int("a positive integer").min(1).max(MAX_VECTOR_LENGTH).nullish(),
  distribution: closedObject({
    mean: share,
    sigma: decimal.gt(0, "a number above 0").max(1, "a number from 0 to 1"),
  }).nullish(),
  binaryQuantized: flag.nullish(),
  model: parameter,
  revision: parameter,
  pooling: z.enum(["useModel", "forceCls", "forceMean"], "a string").nullish(),
  /** Shown in part, and no more than that is kept: nothing here uses it. */
  apiKey: text.max(10_000, "it has more than 10000 characters").transform(hideSecret).nullish(),
  url: parameter,
  documentTemplate: parameter,
  documentTemplateMaxBytes: z.int("a positive integer").min(1).max(1_000_000).nullish(),
  request: z.unknown().optional(),
  response: z.unknown().optional(),
  headers: record(text).nullish(),
});

export const embedders = record(embedder.nullable(), MAX_EMBEDDERS).nullish();

type EmbedderBody = z.infer<typeof embedder>;

/** As it is kept: only what was set. */
export type Embedder = { [Name in keyof EmbedderBody]?: Exclude<EmbedderBody[Name], null> } & {
  source: (typeof SOURCES)[number];
};

export interface Embedders {
  [embedder: string]: Embedder;
}

export class EmbedderError extends Error {}

/** What Meilisearch adds to a source whose texts it would embed. */
const TEMPLATE = {
  documentTemplate:
    "{% for field in fields %}{% if field.is_searchable and field.value != nil %}{{ field.name }}: {{ field.value }}\n{% endif %}{% endfor %}",
  documentTemplateMaxBytes: 400,
};

/** An embedder's other settings stay as long as its source does; null removes. @throws EmbedderError */
export function applyEmbedders(kept: Embedders, body: z.infer<typeof embedders>): Embedders {
  if (body === undefined) return kept;
  if (body === null) return {};
  const next = new Map(Object.entries(kept));
  for (const [name, change] of Object.entries(body)) {
    if (change === null) next.delete(name);
    else next.set(name, merge(name, next.get(name), change));
  }
  if (next.size > MAX_EMBEDDERS)
    throw new EmbedderError(`An index has at most ${MAX_EMBEDDERS} embedders; these would be ${next.size}.`);
  return Object.fromEntries(next);
}

function merge(name: string, before: Embedder | undefined, change: EmbedderBody): Embedder {
  const source = change.source ?? before?.source ?? "openAi";
  const base = before?.source === source ? before : {};
  const entries = Object.entries({ ...withDefaults(source), ...base, ...change, source });
  // Made of the fields of both types.
  const merged = Object.fromEntries(entries.filter(([, value]) => value != null)) as Embedder;
  if (source === "userProvided" && merged.dimensions === undefined)
    throw new EmbedderError(
      `\`.embedders.${name}\`: Missing field \`dimensions\` (note: this field is mandatory for source \`userProvided\`)`,
    );
  return merged;
}

function withDefaults(source: Embedder["source"]): Partial<Embedder> {
  if (source === "userProvided") return {};
  return source === "huggingFace" ? { ...TEMPLATE, pooling: "useModel" } : TEMPLATE;
}

/** As Meilisearch shows secrets: the beginning of a long one. */
export function hideSecret(secret: string): string {
  const { length } = secret;
  if (length < 10) return "XXX...";
  if (length < 20) return `${secret.slice(0, 2)}XXXX...`;
  return length < 30 ? `${secret.slice(0, 3)}XXXXX...` : `${secret.slice(0, 5)}XXXXXX...`;
}
