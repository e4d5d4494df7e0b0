/** An image's own description: the steps of its layers and its labels, from the config that it was pushed with. */
import { readBlob } from "#platform/blobs/read-blob.ts";
import { exceededLimit } from "#platform/text/json-depth.ts";
import {
  MAX_CONFIG_BYTES,
  MAX_CONFIG_DEPTH,
  MAX_CONFIG_VALUES,
  MAX_SHOWN_LAYERS,
  MAX_STEP_LENGTH,
} from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";

const COMMIT_NAME = "org.opencontainers.image.revision";
const COMMIT = /^[0-9a-f]{7,64}$/;

export interface ImageConfig {
  /** One for each layer that has a step, in order. */
  steps: readonly string[];
  /** "": none. */
  commitSha: string;
}

const NOTHING: ImageConfig = { steps: [], commitSha: "" };

/** An unreadable config says nothing. */
export async function readImageConfig(
  { blobs, database: { db } }: Pick<RegistryParts, "blobs" | "database">,
  repositoryId: string,
  digest: string,
): Promise<ImageConfig> {
  // A manifest of an unknown type may name blobs that are in no repository of its owner.
  const row = await db
    .selectFrom("registry_blobs")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  const blob = row && (await blobs.find(row.digest));
  const bytes = blob && (await readBlob(blobs, blob, { maxBytes: MAX_CONFIG_BYTES }));
  return bytes ? readImage(parseFields(bytes)) : NOTHING;
}

/** @param value of the config */
export function readImage({ history, config }: Fields): ImageConfig {
  const steps = (Array.isArray(history) ? history : [])
    .map(fieldsOf)
    .filter((entry) => entry["empty_layer"] !== true)
    .slice(0, MAX_SHOWN_LAYERS)
    .map(({ created_by: step }) => (typeof step === "string" ? step.slice(0, MAX_STEP_LENGTH) : ""));
  return { steps, commitSha: commitOf(fieldsOf(config)["Labels"]) };
}

/** @param names annotations or labels */
export function commitOf(names: unknown): string {
  const { [COMMIT_NAME]: commit } = fieldsOf(names);
  const text = typeof commit === "string" ? commit.toLowerCase() : "";
  return COMMIT.test(text) ? text : "";
}

export type Fields = Readonly<Record<string, unknown>>;

/** Empty for anything but an object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Empty for anything but an object, or for too many values: 1 MB of names takes the parser 45 ms. */
export function parseFields(bytes: Uint8Array | string): Fields {
  const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8");
  if (exceededLimit(text, { depth: MAX_CONFIG_DEPTH, values: MAX_CONFIG_VALUES }) !== null) return {};
  try {
    return fieldsOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
