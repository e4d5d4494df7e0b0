/** Words and samples of the marketing pages, read from `content/` and checked; on the server only. */
import type * as z from "zod";
import { cacheFactsSchema, limitFactsSchema, runnerFactsSchema } from "#docs/content/fact-schemas.ts";
import { formatProblem } from "#docs/content/problem.ts";
import { readYaml } from "#docs/content/read-yaml.ts";
import cacheYaml from "../../../../content/facts/cache.yaml?raw";
import limitsYaml from "../../../../content/facts/limits.yaml?raw";
import partsYaml from "../../../../content/facts/parts.yaml?raw";
import runnersYaml from "../../../../content/facts/runners.yaml?raw";
import homeYaml from "../../../../content/marketing/home.yaml?raw";
import trustYaml from "../../../../content/marketing/trust.yaml?raw";
import { productPaths } from "../paths.ts";
import { splitEntry } from "./check-marketing.ts";
import {
  changelogSchema,
  homeSchema,
  partStatesSchema,
  productSchema,
  trustSchema,
  type Product,
} from "./schema.ts";

const productFiles = import.meta.glob<string>("../../../../content/marketing/products/*.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});

const changelogFiles = import.meta.glob<string>("../../../../content/changelog/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** @throws Error that names the file and every problem in it. */
function read<Shape extends z.ZodType>(file: string, source: string, schema: Shape): z.infer<Shape> {
  const { data, problems } = readYaml(file, source, schema, { rule: "marketing" });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  // Without a problem there is data.
  return data as z.infer<Shape>;
}

const limits = new Map(
  read("content/facts/limits.yaml", limitsYaml, limitFactsSchema).limits.map(({ id, value }) => [id, value]),
);

/** `{{limit:cache.quota}}` becomes the fact's value. */
export function fillLimits(file: string, source: string): string {
  return source.replace(/\{\{limit:([\w.-]+)\}\}/g, (_, id: string) => {
    const value = limits.get(id);
    if (value === undefined)
      throw new Error(`${file} quotes {{limit:${id}}}: content/facts/limits.yaml has no such id.`);
    return value;
  });
}

const fileName = (path: string) => path.slice(path.indexOf("content/"));

export const home = read(
  "content/marketing/home.yaml",
  fillLimits("content/marketing/home.yaml", homeYaml),
  homeSchema,
);

export const trust = read("content/marketing/trust.yaml", trustYaml, trustSchema);

const unordered = Object.entries(productFiles).map(([path, source]) =>
  read(fileName(path), fillLimits(fileName(path), source), productSchema),
);

/** In the order of `productPaths`. */
export const products: Product[] = productPaths.map((path) => {
  const product = unordered.find((each) => each.path === path);
  if (!product) throw new Error(`content/marketing/products/ has no page with "path: ${path}".`);
  return product;
});

const states = new Map(
  read("content/facts/parts.yaml", partsYaml, partStatesSchema).parts.map(({ id, state }) => [id, state]),
);

/** Whether the product's part of the service does not run yet. */
export function isPreview({ path, part }: Product): boolean {
  const state = states.get(part);
  if (state === undefined)
    throw new Error(`The product ${path} names the part "${part}": content/facts/parts.yaml has no such id.`);
  return state === "preview";
}

export const cacheTools = read("content/facts/cache.yaml", cacheYaml, cacheFactsSchema).tools;
export const runners = read("content/facts/runners.yaml", runnersYaml, runnerFactsSchema).runners;

export interface ChangelogEntry {
  /** The file's name without its ending: an address that stays. */
  id: string;
  title: string;
  /** ISO date. */
  date: string;
  markdown: string;
}

/** Newest first. */
export const changelog: ChangelogEntry[] = Object.entries(changelogFiles)
  .map(([path, source]) => {
    const file = fileName(path);
    const entry = splitEntry(source);
    if (!entry) throw new Error(`${file} must start with front matter: ---, title and date, ---.`);
    const front = read(file, entry.front, changelogSchema);
    return { id: file.replace(/^.*\/|\.md$/g, ""), ...front, markdown: entry.markdown };
  })
  .sort((a, b) => b.date.localeCompare(a.date) || b.id.localeCompare(a.id));
