import { VECTORS } from "../contract/hidden-attributes.ts";
import type { Json, SearchDocument } from "../contract/types.ts";

/**
 * The values at a dotted path; arrays on the way are entered, so that `authors.name` reaches every author.
 * An attribute whose own name has dots wins over the path.
 */
export function valuesAt(document: SearchDocument, path: string): Json[] {
  const own = document[path];
  if (own !== undefined && Object.hasOwn(document, path)) return [own];
  const dot = path.indexOf(".");
  return dot < 0 ? [] : descend(document, path);
}

function descend(value: Json, path: string): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => descend(item, path));
  if (value === null || typeof value !== "object") return [];
  if (Object.hasOwn(value, path)) return [value[path]!];
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const head = path.slice(0, dot);
    if (Object.hasOwn(value, head)) return descend(value[head]!, path.slice(dot + 1));
  }
  return [];
}

/** Every path that leads to a value which is not an object: `title`, `hierarchy.lvl0`, `_geo.lat`. */
export function leafPaths(document: SearchDocument, paths: Set<string>): void {
  for (const name of Object.keys(document)) if (name !== VECTORS) collectLeaves(document[name]!, name, paths);
}

function collectLeaves(value: Json, path: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    const objects = value.filter((item) => item !== null && typeof item === "object");
    if (objects.length < value.length || value.length === 0) paths.add(path);
    for (const item of objects) collectLeaves(item, path, paths);
  } else if (value !== null && typeof value === "object" && Object.keys(value).length > 0) {
    for (const key of Object.keys(value)) collectLeaves(value[key]!, `${path}.${key}`, paths);
  } else {
    paths.add(path);
  }
}
