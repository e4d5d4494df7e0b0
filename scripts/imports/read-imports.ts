import { createRequire } from "node:module";

/** Loaded with the first file to parse: a start whose files are all known does without it. */
const load = createRequire(import.meta.url);

export interface ImportStatement {
  /** As written: `./x.ts`, `#search/index.ts`, `node:fs`, `hono/compress`. */
  specifier: string;
  /** Erased at run time. */
  isType: boolean;
  /** By `new URL("…", import.meta.url)`, which does not resolve names across rooms. */
  isAddress?: true;
  /** Counted from 1. */
  line: number;
}

/**
 * Every reference of a module to other files: imports, re-exports, `import("…")`, and files that it starts or reads by `new
 * URL("…", import.meta.url)`.
 * @param file decides the language: `.ts`, `.tsx`, `.mjs`
 * @throws Error when the code cannot be parsed
 */
export function readImports(file: string, code: string): ImportStatement[] {
  const { parseSync } = load("vite") as typeof import("vite");
  const { module, errors } = parseSync(file, code);
  const [error] = errors;
  if (error) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const found: (Omit<ImportStatement, "line"> & { start: number })[] = [];
  for (const { moduleRequest, entries, start } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, isType, start });
  }
  for (const { entries, start } of module.staticExports)
    for (const [specifier, isType] of exportedFrom(entries)) found.push({ specifier, isType, start });
  for (const { moduleRequest, start } of module.dynamicImports) {
    const specifier = textOf(code.slice(moduleRequest.start, moduleRequest.end));
    if (specifier !== null) found.push({ specifier, isType: false, start });
  }
  for (const { 0: text, 1: specifier = "", index } of code.matchAll(FILE_BESIDE))
    if (text.length > 0 && !/(?:^|\/)\.{0,2}$/.test(specifier))
      found.push({
        specifier: specifier.startsWith(".") ? specifier : `./${specifier}`,
        isType: false,
        isAddress: true,
        start: index,
      });
  const lineAt = lineCounter(code);
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ start, ...statement }) => ({ ...statement, line: lineAt(start) }));
}

/** A worker, a child process or a data file, but not a folder. Template literals are known only at run time. */
const FILE_BESIDE = /\bnew URL\(\s*"([\w./-]+)",\s*import\.meta\.url/g;

/** Modules that a statement names; a module is type-only if all its entries are. */
function exportedFrom(
  entries: { moduleRequest: { value: string } | null; isType: boolean }[],
): Map<string, boolean> {
  const modules = new Map<string, boolean>();
  for (const { moduleRequest, isType } of entries)
    if (moduleRequest) modules.set(moduleRequest.value, (modules.get(moduleRequest.value) ?? true) && isType);
  return modules;
}

/** The text of a literal; null for an expression. */
function textOf(literal: string): string | null {
  return /^["'`]([^"'`$]*)["'`]$/.exec(literal)?.[1] ?? null;
}

/** Counts lines for positions in ascending order. */
function lineCounter(code: string): (position: number) => number {
  let line = 1;
  let at = 0;
  return (position) => {
    for (; at < position; at += 1) if (code.charCodeAt(at) === 10) line += 1;
    return line;
  };
}
