import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { readInTurn } from "../../src/platform/files/read-in-turn.ts";
import { root } from "./folders.ts";

export { readStamps, type Stamps, writeStamps } from "./stamp-file.ts";

/** A hash over the names and contents of files and folders (relative to the project), and over `extra`. */
export async function hashInputs(paths: string[], extra: string[] = []): Promise<string> {
  const files = (await Promise.all(paths.map(filesBelow))).flat().sort();
  const hash = createHash("sha256");
  for (const text of extra) hash.update(`${text}\0`);
  const contents = await Promise.all(files.map(readInTurn));
  for (const [index, file] of files.entries())
    hash.update(`${relative(root, file)}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
}

async function filesBelow(path: string): Promise<string[]> {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [full];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
