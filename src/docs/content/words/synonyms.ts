import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem } from "../types.ts";

const file = "content/synonyms.yaml";

/** Groups of at least two words or phrases that mean the same in both directions, as readers type them. */
const schema = z.array(z.array(z.string().min(1)).min(2, "needs at least two words"));

export type SynonymGroups = z.infer<typeof schema>;

/** Reads `content/synonyms.yaml` under `root`. A missing or malformed file counts as empty; a malformed one is a problem. */
export function loadSynonyms(root: string): { synonyms: SynonymGroups; problems: ContentProblem[] } {
  let source: string;
  try {
    source = readFileSync(join(root, file), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { synonyms: [], problems: [] };
    throw error;
  }
  const { data = [], problems } = readYaml(file, source, schema, { rule: "synonyms" });
  return { synonyms: data, problems };
}
