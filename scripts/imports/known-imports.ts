/**
 * The run-time imports of each version of a file, kept for the next process: a start that finds nothing to build parses none of the
 * 1,500 files whose hash it needs, and does not load the parser. Without the kept file, or on a read-only disk, they are parsed.
 */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { writeWhole } from "#platform/files/durable.ts";
import { readImports } from "./read-imports.ts";

/** With more entries, most are of older versions: all are forgotten. */
const MOST = 10_000;

type Known = { [version: string]: readonly string[] };

export interface KnownImports {
  /**
   * The specifiers that the file imports, starts or reads when it runs; types are left out.
   * @param digest of the file's content
   */
  of: (file: string, digest: string, code: () => string) => readonly string[];
  /** Writes what `of` has learned. */
  keep: () => Promise<void>;
}

/** @param path of the kept imports. @param reader version of the code that reads imports */
export function knownImports(
  path: string,
  reader: string,
  parse: typeof readImports = readImports,
): KnownImports {
  const known = recall(path, reader);
  let isNew = false;
  return {
    of(file, digest, code) {
      // The same text means different things in different languages.
      const version = `${digest}${extname(file)}`;
      const found = known.get(version) ?? parseRunning(file, code(), parse);
      isNew ||= !known.has(version);
      known.set(version, found);
      return found;
    },
    async keep() {
      if (!isNew) return;
      isNew = false;
      const text = JSON.stringify({ reader, files: Object.fromEntries(known) });
      await writeWhole(path, text, 0o666).catch(() => undefined);
    },
  };
}

function parseRunning(file: string, code: string, parse: typeof readImports): string[] {
  const running = parse(file, code).filter(({ isType }) => !isType);
  return [...new Set(running.map(({ specifier }) => specifier))];
}

/** Empty when the file is missing or broken, was written by other code, or has too many entries. */
function recall(path: string, reader: string): Map<string, readonly string[]> {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as { reader?: unknown; files?: Known };
    const files = kept.reader === reader ? Object.entries(kept.files ?? {}) : [];
    return new Map(files.length > MOST ? [] : files);
  } catch {
    return new Map();
  }
}
