/** The project's files as they are now, each read once; what runs when a file runs; and a hash over both. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import { isCode, resolveImport } from "./import-graph.ts";
import { type KnownImports, knownImports } from "./known-imports.ts";

const KEPT = join(cacheFolder, "imports.json");
/** What they find in a file depends on their code and on the parser's version. */
const READERS = ["scripts/imports/read-imports.ts", "scripts/imports/known-imports.ts", "package-lock.json"];

export interface SourceFiles {
  /** A hash of the file's content; null when there is no such file. */
  digest: (file: string) => string | null;
  /**
   * The files that run, or are read as data by a literal path, when one of `entries` runs: all their imports, transitively, and
   * themselves. Types are left out: they have no effect at run time.
   * @param entries relative to the project
   */
  reachable: (entries: readonly string[]) => string[];
  /** Remembers what files import for the next process. */
  keep: () => Promise<void>;
}

/**
 * Later changes are not noticed: call this again for the next build.
 * @param folder of the project
 * @param kept the file of imports that the last process knew
 */
export function readSourceFiles(folder = root, kept = KEPT): SourceFiles {
  const contents = new Map<string, Content | null>();
  const read = (file: string): Content | null => {
    const before = contents.get(file);
    if (before !== undefined) return before;
    const content = readContent(folder, file);
    contents.set(file, content);
    return content;
  };
  const digest = (file: string) => read(file)?.digest ?? null;
  const known = knownImports(kept, READERS.map(digest).join());
  return { digest, reachable: (entries) => reachableFrom(entries, read, known), keep: known.keep };
}

interface Content {
  digest: string;
  /** Only for code, until its imports are known. */
  bytes?: Buffer;
  targets?: string[];
}

/** One at a time: hundreds opened together exceed the process's limit, and asynchronous reads take five times the CPU time. */
function readContent(folder: string, file: string): Content | null {
  try {
    const bytes = readFileSync(join(folder, file));
    const digest = createHash("sha256").update(bytes).digest("base64url");
    return isCode(file) ? { digest, bytes } : { digest };
  } catch (error) {
    // A folder that is named like a file, or a file that a test or a string only mentions.
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

function reachableFrom(
  entries: readonly string[],
  read: (file: string) => Content | null,
  known: KnownImports,
): string[] {
  const seen = new Set<string>(entries);
  for (const file of seen)
    if (isCode(file)) for (const target of targetsOf(file, read, known)) if (read(target)) seen.add(target);
  return [...seen].sort();
}

function targetsOf(file: string, read: (file: string) => Content | null, known: KnownImports): string[] {
  const content = read(file);
  if (!content) throw new Error(`${file} does not exist.`);
  if (!content.targets) {
    const { digest, bytes } = content;
    const specifiers = known.of(file, digest, () => String(bytes));
    content.targets = specifiers
      .map((specifier) => resolveImport(specifier, file))
      .filter((target) => target !== null);
    delete content.bytes;
  }
  return content.targets;
}
