import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "./load-content.ts";

/** A build's compiled pages, tree, synonyms for the index, and redirects. */
export type BuiltContent = Pick<Content, "pages" | "navigation" | "synonyms" | "redirects">;

const FILE = "content.json";

export async function writeContent(folder: string, content: BuiltContent): Promise<void> {
  const { pages, navigation, synonyms, redirects } = content;
  await writeFile(join(folder, FILE), JSON.stringify({ pages, navigation, synonyms, redirects }));
}

export async function readContent(folder: string): Promise<BuiltContent> {
  // Written by `writeContent`.
  return JSON.parse(await readFile(join(folder, FILE), "utf8")) as BuiltContent;
}
