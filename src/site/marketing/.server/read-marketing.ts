/** The one reader of `content/marketing/` and `content/changelog/`: texts of files in, checked words or problems out. */
import type * as z from "zod";
import { readYaml } from "#docs/content/read-yaml.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { PRODUCTS } from "../../products.ts";
import {
  changelogSchema,
  type Home,
  homeSchema,
  productSchema,
  type ProductWords,
  type Trust,
  trustSchema,
} from "./schema.ts";

export const HOME_FILE = "content/marketing/home.yaml";
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
  /** The file's name without its ending: an address that stays. */
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
/** Id of `content/facts/limits.yaml` → the limit's value. */
export type LimitValues = ReadonlyMap<string, string>;

export type ReadMarketing =
  { marketing: Marketing; problems: [] } | { marketing: null; problems: ContentProblem[] };

export function readMarketing(files: MarketingFiles, limits: LimitValues): ReadMarketing {
  const problems: ContentProblem[] = [];
  const read = <Shape extends z.ZodType>(file: string, schema: Shape): z.infer<Shape> | undefined => {
    const source = files.get(file);
    if (source === undefined) {
      problems.push(problem(file, 1, "The file is missing.", file));
      return undefined;
    }
    const found = readYaml(file, fillLimits(source, limits), schema, { rule: "marketing" });
    problems.push(...found.problems, ...unknownLimits(file, source, limits));
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
        "No product has this file: its name is the product's path.",
        "Name the product in src/site/products.ts.",
      ),
    );
}

/** `{{limit:cache.quota}}` becomes the fact's value. */
function fillLimits(source: string, limits: LimitValues): string {
  return source.replace(LIMIT_QUOTE, (quote, id: string) => limits.get(id) ?? quote);
}

const LIMIT_QUOTE = /\{\{limit:([\w.-]+)\}\}/g;

function unknownLimits(file: string, source: string, limits: LimitValues): ContentProblem[] {
  return source
    .split("\n")
    .flatMap((text, i) =>
      [...text.matchAll(LIMIT_QUOTE)]
        .filter(([, id = ""]) => !limits.has(id))
        .map(([quote]) =>
          problem(file, i + 1, `content/facts/limits.yaml has no id for ${quote}.`, text.trim()),
        ),
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
