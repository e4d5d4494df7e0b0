import { createHash } from "node:crypto";
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { isCode, isTest } from "../imports/import-graph.ts";
import { readSourceFiles, type SourceFiles } from "../imports/source-files.ts";

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
 * @param sources shared by steps that are hashed together
 */
export function hashInputs({ code, data = [], texts = [] }: Inputs, sources: SourceFiles): string {
  const entries = code.flatMap(filesBelow).filter(isCode);
  const read = ["package-lock.json", ...data].flatMap(filesBelow);
  const files = [...new Set([...sources.reachable(entries), ...read])].sort();
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text}\0`);
  for (const file of files) hash.update(`${file}\0${sources.digest(file)}\0`);
  return hash.digest("hex");
}

/** The hash of one result's inputs. */
export async function hashAlone(inputs: Inputs): Promise<string> {
  const sources = readSourceFiles();
  const hash = hashInputs(inputs, sources);
  await sources.keep();
  return hash;
}

/** Relative to the project, without tests. */
function filesBelow(path: string): string[] {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  let entries: Dirent[];
  try {
    entries = readdirSync(full, { recursive: true, withFileTypes: true });
  } catch {
    return [path];
  }
  return entries
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
