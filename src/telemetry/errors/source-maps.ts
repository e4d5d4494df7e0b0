import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { originalPositionFor, sourceContentFor, TraceMap } from "@jridgewell/trace-mapping";

/** Parsed maps in memory; the map of a large chunk takes a few megabytes. */
const KEPT_MAPS = 8;
/** Lines shown before and after the failing line. */
const CONTEXT_LINES = 5;
const MAX_LINE_LENGTH = 300;

export interface SourcePosition {
  file: string;
  line: number;
  column: number;
  context: { lines: string[]; at: number; firstLine: number } | null;
  /** The name in the source, if the bundler has changed it. */
  name: string | null;
  /** The source's lines, for finding the enclosing function. */
  source: string[] | null;
}

export interface BuiltPosition {
  debugId: string | null;
  /** `/assets/chunk-CFrkd1x3.js`, or an address. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
}

/** Finds the source of a place in a built file; null when no map knows it. */
export type FindSource = (position: BuiltPosition) => SourcePosition | null;

/**
 * Maps of one build, in a folder that is never served: `<debug id>.json` or `<file>.map`. A map is found by the debug id that
 * the error report names, or by the built file's name, and is read when it is first needed.
 */
export function createSourceFinder(folder: string): FindSource {
  const maps = new Map<string, OpenMap | null>();
  let names: Map<string, string> | null = null;

  /** Debug id and name of the built file → the map's file. */
  function readNames(): Map<string, string> {
    const found = new Map<string, string>();
    for (const name of listFiles(folder)) {
      const text = readText(join(folder, name)) ?? "";
      const debugId = /"debug_?id"\s*:\s*"([0-9a-f-]{32,36})"/i.exec(text)?.[1]?.toLowerCase();
      const built = /"file"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? name.replace(/\.map$/, "");
      if (debugId) found.set(debugId, name);
      found.set(baseName(built), name);
    }
    return found;
  }

  function open(name: string): OpenMap | null {
    const known = maps.get(name);
    maps.delete(name);
    const map = known === undefined ? parseMap(readText(join(folder, name))) : known;
    // Inserted again: a Map keeps the order of insertion, so its first entry is the least recently used.
    maps.set(name, map);
    const oldest = maps.keys().next().value;
    if (maps.size > KEPT_MAPS && oldest !== undefined) maps.delete(oldest);
    return map;
  }

  return ({ debugId, file, line, column }) => {
    names ??= readNames();
    const name = (debugId && names.get(debugId)) ?? names.get(baseName(file));
    const map = name ? open(name) : null;
    // The library throws for positions that cannot exist, and anyone can send such positions.
    if (!map || line < 1) return null;
    const found = originalPositionFor(map.trace, { line, column: Math.max(column - 1, 0) });
    if (found.source === null) return null;
    const source = linesOf(map, found.source);
    return {
      file: repositoryPath(found.source),
      line: found.line,
      column: found.column + 1,
      name: found.name,
      context: source && contextOf(source, found.line),
      source,
    };
  };
}

/** A map, and its source lines from earlier requests: the frames of one stack mostly share them. */
interface OpenMap {
  trace: TraceMap;
  lines: Map<string, string[] | null>;
}

function linesOf({ trace, lines }: OpenMap, source: string): string[] | null {
  const known = lines.get(source);
  if (known !== undefined) return known;
  const split = sourceContentFor(trace, source)?.split("\n") ?? null;
  lines.set(source, split);
  return split;
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:json|map)$/.test(name),
    );
  } catch {
    // A build without maps: frames stay as sent.
    return [];
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function parseMap(text: string | null): OpenMap | null {
  try {
    return text === null ? null : { trace: new TraceMap(text), lines: new Map() };
  } catch {
    return null;
  }
}

function baseName(file: string): string {
  const query = file.search(/[?#]/);
  const path = query === -1 ? file : file.slice(0, query);
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** `../../../src/site/docs/x.ts` → `src/site/docs/x.ts`; for packages, the part from the last `node_modules`. */
function repositoryPath(source: string): string {
  const path = source.replace(/^[a-z-]+:\/\/\/?/, "");
  const packages = path.lastIndexOf("node_modules/");
  if (packages >= 0) return path.slice(packages);
  const folder = /(?:^|\/)(?=(?:src|content|scripts)\/)/.exec(path);
  return folder ? path.slice(folder.index + folder[0].length) : path.replace(/^(?:\.\.?\/)+/, "");
}

export function contextOf(lines: readonly string[], line: number): SourcePosition["context"] {
  if (line < 1 || line > lines.length) return null;
  const first = Math.max(line - CONTEXT_LINES, 1);
  const shown = lines.slice(first - 1, line + CONTEXT_LINES).map((text) => text.slice(0, MAX_LINE_LENGTH));
  return { lines: shown, at: line - first, firstLine: first };
}
