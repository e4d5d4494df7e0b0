/** Indexes that a key or a token's rule covers: a name (`docs`), a prefix (`docs_*`), or all (`*`). */
import { isIndexUid } from "../protocol/index-uid.ts";

export function isIndexPattern(pattern: string): boolean {
  return pattern === "*" || isIndexUid(pattern.endsWith("*") ? pattern.slice(0, -1) : pattern);
}

export function matchesPattern(pattern: string, uid: string): boolean {
  return pattern.endsWith("*") ? uid.startsWith(pattern.slice(0, -1)) : uid === pattern;
}

/** Whether `outer` covers every index that `inner` covers. */
export function includesPattern(outer: string, inner: string): boolean {
  if (!inner.endsWith("*")) return matchesPattern(outer, inner);
  return outer.endsWith("*") && inner.startsWith(outer.slice(0, -1));
}

/** The pattern that decides for an index: its name before prefixes, a long prefix before a short one. */
export function closestPattern(patterns: Iterable<string>, uid: string): string | null {
  let closest: string | null = null;
  for (const pattern of patterns) {
    if (!matchesPattern(pattern, uid)) continue;
    if (!pattern.endsWith("*")) return pattern;
    if (closest === null || pattern.length > closest.length) closest = pattern;
  }
  return closest;
}
