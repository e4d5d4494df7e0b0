import { setOwn } from "../contract/own-properties.ts";
import type { Json, SearchDocument } from "../contract/types.ts";
import { coversPath, reachesPath } from "../contract/attribute-paths.ts";

/** The part of the value at a path that is picked. */
type Part = "whole" | "some" | "none";

/**
 * Picks the part of a document that `names` cover; objects keep only the covered part of themselves. A path is decided
 * once, however many documents have it: a hundred names against every attribute of a thousand hits are a million
 * comparisons.
 */
export function createAttributePicker(
  names: readonly string[],
): (document: SearchDocument) => SearchDocument {
  if (names.includes("*")) return (document) => document;
  const parts = new Map<string, Part>();

  function partOf(path: string): Part {
    const known = parts.get(path);
    if (known) return known;
    const part = coversPath(names, path) ? "whole" : reachesPath(names, path) ? "some" : "none";
    parts.set(path, part);
    return part;
  }

  function pick(source: { [name: string]: Json }, prefix: string): { [name: string]: Json } {
    const picked: { [name: string]: Json } = {};
    for (const name of Object.keys(source)) {
      const path = prefix + name;
      const part = partOf(path);
      if (part === "whole") setOwn(picked, name, source[name]!);
      else if (part === "some") setOwn(picked, name, pickNested(source[name]!, path));
    }
    return picked;
  }

  function pickNested(value: Json, path: string): Json {
    if (Array.isArray(value)) return value.map((item) => pickNested(item, path));
    if (value === null || typeof value !== "object") return value;
    return pick(value, `${path}.`);
  }

  return (document) => pick(document, "");
}
