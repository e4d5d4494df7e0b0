/**
 * What each version of a file imports when it runs, remembered between processes: a start that finds nothing to build parses none
 * of the 1,500 files whose hash it needs, and does not load the parser. Without the file, or on a read-only disk, they are parsed.
 */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { writeDurably } from "#platform/files/durable.ts";
import { cacheFolder } from "#server/pages/build-folders.ts";
import { readImports } from "./read-imports.ts";

/** Older versions of files are forgotten when there are more entries than this. */
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

/** @param path of the remembered imports. @param reader version of the code that reads imports. */
export function knownImports(
  reader: string,
  path = join(cacheFolder, "imports.json"),
  parse: typeof readImports = readImports,
): KnownImports {
  const known = recall(path, reader);
  const used: Known = {};
  let isNew = false;
  return {
    of(file, digest, code) {
      // The same text means different things in different languages.
      const version = `${digest}${extname(file)}`;
      const found = known.get(version) ?? parseRunning(file, code(), parse);
      isNew ||= !known.has(version);
      known.set(version, found);
      used[version] = found;
      return found;
    },
    async keep() {
      if (!isNew) return;
      isNew = false;
      const files = known.size > MOST ? used : Object.fromEntries(known);
      await writeDurably(path, JSON.stringify({ reader, files }), 0o666).catch(() => undefined);
    },
  };
}

function parseRunning(file: string, code: string, parse: typeof readImports): string[] {
  const running = parse(file, code).filter(({ isType }) => !isType);
  return [...new Set(running.map(({ specifier }) => specifier))];
}

/** Empty when the file is missing, broken, or was written by other code. */
function recall(path: string, reader: string): Map<string, readonly string[]> {
  try {
    const kept = JSON.parse(readFileSync(path, "utf8")) as { reader?: unknown; files?: Known };
    return new Map(kept.reader === reader ? Object.entries(kept.files ?? {}) : []);
  } catch {
    return new Map();
  }
}
