import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "./content/load-content.ts";

/** The compiled pages and the tree, as a build stores them. */
export type BuiltContent = Pick<Content, "pages" | "navigation">;

const FILE = "content.json";

export async function writeContent(folder: string, { pages, navigation }: BuiltContent): Promise<void> {
  await writeFile(join(folder, FILE), JSON.stringify({ pages, navigation }));
}

export async function readContent(folder: string): Promise<BuiltContent> {
  // Written by `writeContent`.
  return JSON.parse(await readFile(join(folder, FILE), "utf8")) as BuiltContent;
}
