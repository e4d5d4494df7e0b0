/**
 * `content/redirects.yaml`: published addresses that no longer have a page, and their new addresses.
 *
 *     - { from: /docs/cache/keys, to: /docs/cache/overview }
 *
 * A browser keeps the fragment of the old address unless the new address has its own (Fetch standard, HTTP-redirect fetch), so
 * `/docs/cache/keys#limits` leads to `/docs/cache/overview#limits`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem } from "../types.ts";

export const REDIRECTS_FILE = "content/redirects.yaml";

const from = z
  .string()
  .max(300)
  .regex(/^(?:\/[\w.~-]+)+$/, "must be a path without a trailing slash, like /docs/cache/keys");
const to = z
  .string()
  .max(300)
  .regex(/^\/docs(?:\/[a-z0-9-]+)*(?:#[\w.-]+)?$/, "must be a page's path, like /docs/cache/overview#limits");

/** One line of the file. */
export const redirectSchema = z.strictObject({ from, to });
const schema = z.array(redirectSchema).max(2_000);

export interface Redirect extends z.infer<typeof redirectSchema> {
  /** Line in the file, from 1. */
  line: number;
}

/** Reads the file below `root`. A missing or malformed file counts as empty; a malformed one is a problem. */
export function loadRedirects(root: string): { redirects: Redirect[]; problems: ContentProblem[] } {
  let source: string;
  try {
    source = readFileSync(join(root, REDIRECTS_FILE), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { redirects: [], problems: [] };
    throw error;
  }
  // YAML reads a file with only comments as null.
  const { data, problems } = readYaml(REDIRECTS_FILE, source, schema.nullable(), { rule: "redirect" });
  const lines = source.split("\n");
  const lineOf = (path: string) =>
    lines.findIndex((line) => /^[^#]*\bfrom:/.test(line) && line.split(/[\s,{}"']+/).includes(path)) + 1 || 1;
  return { redirects: (data ?? []).map((each) => ({ ...each, line: lineOf(each.from) })), problems };
}
