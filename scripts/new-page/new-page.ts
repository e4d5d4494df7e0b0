/** Writes a draft of a page and adds it to the tree: the first step of CONTRIBUTING.md's "Add a page". */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { didYouMean } from "#docs/content/problem.ts";
import type { PageType } from "#docs/content/types.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { pageTemplate } from "./page-template.ts";
import { placeInTree } from "./place-in-tree.ts";

export const PAGE_TYPES: readonly PageType[] = ["start", "guide", "explain", "reference"];
const TREE = "content/navigation.yaml";
const MAX_TITLE = 60;

export interface Wish {
  path: string;
  type: string;
  title: string;
  /** Default: the part of the tree's section, or none. */
  part?: string | undefined;
}

/**
 * @param root the repository
 * @returns the files that were written
 * @throws UserError that says what is valid; then nothing is written
 */
export async function createPage(root: string, wish: Wish): Promise<string[]> {
  const { path, title } = wish;
  if (!/^\/docs(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/.test(path))
    throw new UserError(`${path} is not the address of a page: write it like /docs/cache/reference/buck2.`);
  const type = PAGE_TYPES.find((known) => known === wish.type);
  if (!type) throw new UserError(`There is no type "${wish.type}": ${PAGE_TYPES.join(", ")}.`);
  if (title.trim() === "" || title.length > MAX_TITLE)
    throw new UserError(`A title has 1 to ${MAX_TITLE} characters, this one has ${title.trim().length}.`);
  const file = `content${path}.mdx`;
  if (existsSync(join(root, file)) || existsSync(join(root, `content${path}/index.mdx`)))
    throw new UserError(`${path} already exists: ${file}.`);
  const part = partOf(root, wish);
  const tree = await placed(root, path);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), await formatted(root, file, pageTemplate({ path, title, type, part })));
  if (tree === readFileSync(join(root, TREE), "utf8")) return [file];
  writeFileSync(join(root, TREE), tree);
  return [file, TREE];
}

function partOf(root: string, { path, part }: Wish): string {
  const parts = ["all", "none", ...loadFacts(root).facts.parts.parts.map(({ id }) => id)];
  const segment = path.split("/")[2] ?? "";
  if (part === undefined) return parts.includes(segment) ? segment : "none";
  if (parts.includes(part)) return part;
  throw new UserError(`There is no part "${part}".${didYouMean(part, parts)}`);
}

async function placed(root: string, path: string): Promise<string> {
  const source = readFileSync(join(root, TREE), "utf8");
  try {
    return await formatted(root, TREE, placeInTree(source, path));
  } catch (cause) {
    throw new UserError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Formats like `npm run format`. */
async function formatted(root: string, file: string, text: string): Promise<string> {
  const filepath = join(root, file);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
