/** The only reader of `content/marketing/` and `content/changelog/`: file texts in, checked content or problems out. */
import type * as z from "zod";
import type { Facts } from "#docs/content/facts/facts.ts";
import { readYaml } from "#docs/content/read-yaml.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { PRODUCTS } from "../../products.ts";
import { HOME_FILE } from "./sample-warnings.ts";
import {
  changelogSchema,
  type Home,
  homeSchema,
  productSchema,
  type ProductWords,
  type Trust,
  trustSchema,
} from "./schema.ts";

const TRUST_FILE = "content/marketing/trust.yaml";
const PRODUCT_FOLDER = "content/marketing/products";
const CHANGELOG_FOLDER = "content/changelog";

export interface Product extends ProductWords {
  path: string;
  name: string;
  /** Lucide's name. */
  icon: string;
}

export interface ChangelogEntry {
  /** The file's name without its extension: a permanent address. */
  id: string;
  title: string;
  /** ISO date. */
  date: string;
  markdown: string;
}

export interface Marketing {
  home: Home;
  trust: Trust;
  /** In the order of `PRODUCTS`. */
  products: Product[];
  /** Newest first. */
  changelog: ChangelogEntry[];
}

/** File, relative to the repository → its text. */
export type MarketingFiles = ReadonlyMap<string, string>;
/** Values of `{{limit:cache.quota}}`, `{{parts:preview}}`, `{{preview:managed}}` or `{{cache:names}}`, by the text between the braces. */
export type Quotes = ReadonlyMap<string, string>;

/** Values of limits, names of parts by state, a word for each part that does not run yet, and lists of the cache's tools. */
export function quotesOf({ limits, parts, cache }: Pick<Facts, "limits" | "parts" | "cache">): Quotes {
  const named = (state: string) =>
    new Intl.ListFormat("en").format(
      parts.parts.filter((part) => part.state === state).map(({ name }) => name),
    );
  return new Map([
    ...limits.limits.map(({ id, value }) => [`limit:${id}`, value] as const),
    ...["available", "preview"].map((state) => [`parts:${state}`, named(state)] as const),
    ...parts.parts.map(
      ({ id, state }) => [`preview:${id}`, state === "preview" ? " (preview)" : ""] as const,
    ),
    ...Object.entries(cache.lists).map(([name, list]) => [`cache:${name}`, list] as const),
  ]);
}

export type ReadMarketing =
  { marketing: Marketing; problems: [] } | { marketing: null; problems: ContentProblem[] };

export function readMarketing(files: MarketingFiles, quotes: Quotes): ReadMarketing {
  const problems: ContentProblem[] = [];
  const read = <Shape extends z.ZodType>(file: string, schema: Shape): z.infer<Shape> | undefined => {
    const source = files.get(file);
    if (source === undefined) {
      problems.push(problem(file, 1, "The file is missing.", file));
      return undefined;
    }
    const found = readYaml(file, fillQuotes(source, quotes), schema, { rule: "marketing" });
    problems.push(...found.problems, ...unknownQuotes(file, source, quotes));
    return found.data;
  };
  const home = read(HOME_FILE, homeSchema);
  const trust = read(TRUST_FILE, trustSchema);
  const products = PRODUCTS.flatMap(({ to: path, label: name, icon }): Product[] => {
    const words = read(fileOfProduct(path), productSchema);
    return words ? [{ ...words, path, name, icon }] : [];
  });
  problems.push(...strayProducts(files));
  const changelog = readChangelog(files, problems);
  if (!home || !trust || problems.length > 0) return { marketing: null, problems };
  return { marketing: { home, trust, products, changelog }, problems: [] };
}

const fileOfProduct = (path: string) => `${PRODUCT_FOLDER}${path}.yaml`;

function strayProducts(files: MarketingFiles): ContentProblem[] {
  const known = new Set(PRODUCTS.map(({ to }) => fileOfProduct(to)));
  return [...files.keys()]
    .filter((file) => file.startsWith(`${PRODUCT_FOLDER}/`) && !known.has(file))
    .map((file) =>
      problem(
        file,
        1,
        "No product matches this file: the file name must be a product's path.",
        "Name the product in src/site/products.ts.",
      ),
    );
}

function fillQuotes(source: string, quotes: Quotes): string {
  return source.replace(QUOTE, (quote, name: string) => quotes.get(name) ?? quote);
}

const QUOTE = /\{\{((?:limit|parts|preview|cache):[\w.-]+)\}\}/g;

function unknownQuotes(file: string, source: string, quotes: Quotes): ContentProblem[] {
  return source
    .split("\n")
    .flatMap((text, i) =>
      [...text.matchAll(QUOTE)]
        .filter(([, name = ""]) => !quotes.has(name))
        .map(([quote]) => problem(file, i + 1, `content/facts has no id for ${quote}.`, text.trim())),
    );
}

function readChangelog(files: MarketingFiles, problems: ContentProblem[]): ChangelogEntry[] {
  const entries: ChangelogEntry[] = [];
  for (const [file, source] of files) {
    if (!file.startsWith(`${CHANGELOG_FOLDER}/`)) continue;
    const entry = splitEntry(source);
    if (!entry) {
      const fix = "---\ntitle: What changed\ndate: 2026-01-31\n---";
      problems.push({ ...problem(file, 1, "The entry has no front matter.", fix), rule: "changelog" });
      continue;
    }
    const found = readYaml(file, entry.front, changelogSchema, { rule: "changelog", before: 1 });
    problems.push(...found.problems);
    const id = file.slice(CHANGELOG_FOLDER.length + 1, -".md".length);
    if (found.data) entries.push({ id, ...found.data, markdown: entry.markdown });
  }
  return entries.sort((a, b) => b.date.localeCompare(a.date) || b.id.localeCompare(a.id));
}

/** The front matter of a changelog entry, and its text; undefined without front matter. */
function splitEntry(source: string): { front: string; markdown: string } | undefined {
  const match = /^\uFEFF?---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source.replaceAll("\r\n", "\n"));
  return match ? { front: match[1] ?? "", markdown: (match[2] ?? "").trim() } : undefined;
}

function problem(file: string, line: number, message: string, fix: string): ContentProblem {
  return { file, line, rule: "marketing", severity: "error", message, fix };
}
