import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "./load-content.ts";

/** A build's compiled pages, tree, synonyms for the index, and redirects. */
export type BuiltContent = Pick<Content, "pages" | "navigation" | "synonyms" | "redirects">;

const FILE = "content.json";
/** Apart, because only the site's pages read it. */
const EDITIONS_FILE = "editions.json";

export async function writeContent(
  folder: string,
  content: BuiltContent & Pick<Content, "editions">,
): Promise<void> {
  const { pages, navigation, synonyms, redirects, editions } = content;
  await writeFile(join(folder, FILE), JSON.stringify({ pages, navigation, synonyms, redirects }));
  await writeFile(join(folder, EDITIONS_FILE), JSON.stringify(editions));
}

export async function readContent(folder: string): Promise<BuiltContent> {
  // Written by `writeContent`.
  return JSON.parse(await readFile(join(folder, FILE), "utf8")) as BuiltContent;
}

export async function readEditions(folder: string): Promise<Content["editions"]> {
  // Written by `writeContent`.
  return JSON.parse(await readFile(join(folder, EDITIONS_FILE), "utf8")) as Content["editions"];
}
