/**
 * The import graph of all code files of the project.
 *
 *     src/search-server/open-search.ts ──"#search/index.ts"──► src/search/index.ts ──► …
 *                               ──"node:path"──► (a package)
 */
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { type ImportStatement, readImports } from "./read-imports.ts";

export interface Import extends ImportStatement {
  /** The imported file, relative to the project; null for a package. */
  target: string | null;
}

/** File, relative to the project → what it imports. */
export type ImportGraph = Map<string, Import[]>;

export const isCode = (file: string) => /\.(?:ts|tsx|mts|mjs)$/.test(file) && !file.endsWith(".d.ts");
export const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file);

/** `imports` of package.json: `#search/` → `src/search/`. */
const aliases = readAliases();

/** Reads only these files. */
export function readGraph(files: readonly string[]): ImportGraph {
  return new Map(files.filter(isCode).map((file) => [file, importsOf(file)]));
}

/** The file that a specifier leads to, relative to the project; null for a package. */
export function resolveImport(specifier: string, file: string): string | null {
  const [path = ""] = specifier.split("?");
  if (path.startsWith(".")) return posix.join(posix.dirname(file), path);
  if (!path.startsWith("#")) return null;
  for (const [prefix, folder] of aliases)
    if (path === prefix || (prefix.endsWith("/") && path.startsWith(prefix)))
      return folder + path.slice(prefix.length);
  throw new Error(`${file} imports "${specifier}", which is not in the imports of package.json.`);
}

/** How a file outside its room imports `target`: `#search/index.ts`; null for a file without such a name. */
export function nameAcrossRooms(target: string): string | null {
  for (const [prefix, folder] of aliases) {
    if (target === folder) return prefix;
    if (prefix.endsWith("/") && target.startsWith(folder)) return prefix + target.slice(folder.length);
  }
  return null;
}

function importsOf(file: string): Import[] {
  const imports = readImports(file, readFileSync(join(root, file), "utf8")).map((statement) => ({
    ...statement,
    target: resolveImport(statement.specifier, file),
  }));
  // A test or a string may mention a file that does not exist.
  return imports.filter(({ target }) => target === null || existsSync(join(root, target)));
}

function readAliases(): [prefix: string, folder: string][] {
  const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    imports: { [alias: string]: string };
  };
  return Object.entries(imports).map(([alias, target]) => [
    alias.replace(/\*$/, ""),
    target.replace(/^\.\//, "").replace(/\*$/, ""),
  ]);
}
