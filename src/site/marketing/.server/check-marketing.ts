/** The mistakes of `content/marketing/` and `content/changelog/`, before anything is rendered from them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { readYaml } from "#docs/content/read-yaml.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { productPaths } from "../paths.ts";
import { changelogSchema, homeSchema, productSchema, trustSchema } from "./schema.ts";

/** The front matter of a changelog entry, and its text; undefined without front matter. */
export function splitEntry(source: string): { front: string; markdown: string } | undefined {
  const match = /^\uFEFF?---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll("\r\n", "\n"));
  return match ? { front: match[1] ?? "", markdown: (match[2] ?? "").trim() } : undefined;
}

/**
 * @param root the repository
 * @param limits the ids of `content/facts/limits.yaml`
 */
export function checkMarketing(root: string, limits: ReadonlySet<string>): ContentProblem[] {
  const textOf = (file: string) => readFileSync(join(root, file), "utf8");
  const check = <Shape extends z.ZodType>(file: string, schema: Shape) => {
    const source = textOf(file);
    const quotes = unknownLimits(file, source, limits);
    const read = readYaml(file, source, schema, { rule: "marketing" });
    return { data: read.data, problems: [...read.problems, ...quotes] };
  };
  const filesIn = (folder: string, ending: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name}`);

  const products = filesIn("content/marketing/products", ".yaml").map((file) => check(file, productSchema));
  const isComplete = products.every(({ data }) => data);
  const missing = productPaths.filter((path) => !products.some(({ data }) => data?.path === path));
  return [
    ...check("content/marketing/home.yaml", homeSchema).problems,
    ...check("content/marketing/trust.yaml", trustSchema).problems,
    ...products.flatMap(({ problems }) => problems),
    // A product that cannot be read may be the one.
    ...(isComplete ? missing : []).map((path) =>
      problem(
        `content/marketing/products${path}.yaml`,
        1,
        `No product has the path ${path}.`,
        `path: ${path}`,
      ),
    ),
    ...filesIn("content/changelog", ".md").flatMap((file) => {
      const entry = splitEntry(textOf(file));
      if (entry)
        return readYaml(file, entry.front, changelogSchema, { rule: "changelog", before: 1 }).problems;
      const fix = "---\ntitle: What changed\ndate: 2026-01-31\n---";
      return [{ ...problem(file, 1, "The entry has no front matter.", fix), rule: "changelog" }];
    }),
  ];
}

function unknownLimits(file: string, source: string, limits: ReadonlySet<string>): ContentProblem[] {
  return source
    .split("\n")
    .flatMap((text, i) =>
      [...text.matchAll(/\{\{limit:([\w.-]+)\}\}/g)]
        .filter(([, id = ""]) => !limits.has(id))
        .map(([quote]) =>
          problem(file, i + 1, `content/facts/limits.yaml has no id for ${quote}.`, text.trim()),
        ),
    );
}

function problem(file: string, line: number, message: string, fix: string): ContentProblem {
  return { file, line, rule: "marketing", severity: "error", message, fix };
}
