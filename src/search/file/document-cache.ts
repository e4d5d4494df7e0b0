import { KEPT_DOCUMENT_UNITS } from "../contract/limits.ts";
import type { Json, SearchDocument } from "../contract/types.ts";

export interface DocumentCache {
  /** A document that others may also hold: not to be changed. */
  get(id: number): SearchDocument;
}

/**
 * Decoded documents, least recently used out first. The same pages answer most searches, and decoding twenty documents
 * was a fifth of a search with highlighting. `read` decodes; `maxUnits` bounds the cache, in UTF-16 units of text.
 */
export function createDocumentCache(
  read: (id: number) => SearchDocument,
  maxUnits: number = KEPT_DOCUMENT_UNITS,
): DocumentCache {
  const kept = new Map<number, { document: SearchDocument; units: number }>();
  let total = 0;

  function add(id: number): SearchDocument {
    const document = read(id);
    const units = unitsOf(document);
    // One huge document must not evict a thousand others.
    if (units > maxUnits / 16) return document;
    kept.set(id, { document, units });
    total += units;
    for (const [oldId, old] of kept) {
      if (total <= maxUnits) break;
      kept.delete(oldId);
      total -= old.units;
    }
    return document;
  }

  return {
    get(id) {
      const known = kept.get(id);
      if (!known) return add(id);
      // Re-inserted, because a Map keeps the order of insertion.
      kept.delete(id);
      kept.set(id, known);
      return known.document;
    },
  };
}

/** Roughly the memory of a value: its text, plus a constant per value. */
function unitsOf(value: Json): number {
  if (typeof value === "string") return value.length + 8;
  if (value === null || typeof value !== "object") return 8;
  let units = 16;
  for (const item of Array.isArray(value) ? value : Object.values(value)) units += unitsOf(item);
  return units;
}
