import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { readInTurn } from "#platform/files/read-in-turn.ts";
import { root } from "#server/build-folders.ts";
import { isCode, isTest, reachableFiles } from "../imports/import-graph.ts";

export interface Inputs {
  /** Files that run, or folders of such files; their imports count too. Relative to the project. */
  code: string[];
  /** Files and folders that the step reads. */
  data?: string[];
  texts?: string[];
}

/**
 * A hash over the inputs of a result: the code that makes it with its imports, the lock file, which pins the packages, and the
 * data. File names count as well as contents.
 */
export async function hashInputs({ code, data = [], texts = [] }: Inputs): Promise<string> {
  const entries = (await Promise.all(code.map(filesBelow))).flat().filter(isCode);
  const read = (await Promise.all(["package-lock.json", ...data].map(filesBelow))).flat();
  const files = [...new Set([...reachableFiles(entries), ...read])].sort();
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text}\0`);
  const contents = await Promise.all(files.map((file) => readInTurn(join(root, file))));
  for (const [index, file] of files.entries()) hash.update(`${file}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
}

/** Relative to the project, without tests. */
async function filesBelow(path: string): Promise<string[]> {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
