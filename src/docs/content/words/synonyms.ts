import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem } from "../types.ts";

const words = z.array(z.string().min(1));

/** Groups of at least two words or phrases that mean the same in both directions, as readers type them. */
export const groupsSchema = z.array(words.min(2, "needs at least two words"));

/** One way: words that the pages hardly have, and the pages' words for what they mean. */
export const conceptsSchema = z.array(
  z.strictObject({
    typed: z.array(z.string().regex(/^[\p{L}\p{N}]+$/u, "must be one word")).min(1),
    means: words.min(1),
  }),
);

export type Concept = z.infer<typeof conceptsSchema>[number];
export type SynonymGroups = (string[] | Concept)[];

/**
 * Reads `content/synonyms.yaml` and `content/concepts.yaml` under `root`. A missing or malformed file counts as empty; a
 * malformed one is a problem.
 */
export function loadSynonyms(root: string): { synonyms: SynonymGroups; problems: ContentProblem[] } {
  const groups = readList(root, "content/synonyms.yaml", groupsSchema);
  const concepts = readList(root, "content/concepts.yaml", conceptsSchema);
  return {
    synonyms: [...groups.list, ...concepts.list],
    problems: [...groups.problems, ...concepts.problems],
  };
}

function readList<Item>(
  root: string,
  file: string,
  schema: z.ZodType<Item[]>,
): { list: Item[]; problems: ContentProblem[] } {
  let source: string;
  try {
    source = readFileSync(join(root, file), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { list: [], problems: [] };
    throw error;
  }
  const { data = [], problems } = readYaml(file, source, schema, { rule: "synonyms" });
  return { list: data, problems };
}
