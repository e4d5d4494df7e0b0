/** The texts of the marketing pages, bundled from `content/` and checked; on the server only. */
import type * as z from "zod";
import {
  cacheFactsSchema,
  limitFactsSchema,
  partFactsSchema,
  runnerFactsSchema,
} from "#docs/content/facts/fact-schemas.ts";
import { fillPlaces } from "#docs/content/facts/fact-places.ts";
import { formatProblem } from "#docs/content/problem.ts";
import { readYaml } from "#docs/content/read-yaml.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import cacheYaml from "../../../../content/facts/cache.yaml?raw";
import limitsYaml from "../../../../content/facts/limits.yaml?raw";
import partsYaml from "../../../../content/facts/parts.yaml?raw";
import runnersYaml from "../../../../content/facts/runners.yaml?raw";
import { type Product, quotesOf, readMarketing } from "./read-marketing.ts";

const sources = import.meta.glob<string>(
  ["../../../../content/marketing/**/*.yaml", "../../../../content/changelog/*.md"],
  { query: "?raw", import: "default", eager: true },
);

/** @throws Error that names the file and every problem in it. */
function read<Shape extends z.ZodType>(file: string, source: string, schema: Shape): z.infer<Shape> {
  const { data, problems } = readYaml(file, source, schema, { rule: "marketing" });
  if (problems.length > 0) throw failure(problems);
  // Without a problem there is data.
  return data as z.infer<Shape>;
}

const failure = (problems: ContentProblem[]) => new Error(problems.map(formatProblem).join("\n"));

const cache = read("content/facts/cache.yaml", cacheYaml, cacheFactsSchema);
export const cacheTools = cache.tools;

/** The parts of the service, in their order. */
export const { parts } = read("content/facts/parts.yaml", fillPlaces(partsYaml, { cache }), partFactsSchema);

function readPages() {
  const limits = read("content/facts/limits.yaml", limitsYaml, limitFactsSchema);
  const files = Object.entries(sources).map(
    ([path, source]) => [path.slice(path.indexOf("content/")), source] as const,
  );
  const { marketing, problems } = readMarketing(
    new Map(files),
    quotesOf({ limits, parts: { parts }, cache }),
  );
  if (!marketing) throw failure(problems);
  return marketing;
}

export const { home, trust, products, changelog } = readPages();

const states = new Map(parts.map(({ id, state }) => [id, state]));

/** Whether the product's part of the service does not run yet. */
export function isPreview({ path, part }: Product): boolean {
  const state = states.get(part);
  if (state === undefined)
    throw new Error(`The product ${path} names the part "${part}": content/facts/parts.yaml has no such id.`);
  return state === "preview";
}

export const runners = read("content/facts/runners.yaml", runnersYaml, runnerFactsSchema).runners;
