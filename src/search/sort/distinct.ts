import { lookupOf } from "../filter/column-lookup.ts";
import { availableFilterable } from "../filter/evaluate.ts";
import { coversPath } from "../format/attribute-paths.ts";
import { type Index, SearchError } from "../types.ts";

/**
 * The value that makes documents the same for `distinct`: equal text = the same document group; null = the
 * document has no value and stands for itself. Of several values the first counts.
 *
 * An attribute from a query must be filterable (`SearchError`, code `invalid_search_distinct`); the index's own
 * distinct attribute is taken as it is.
 */
export function compileDistinct(index: Index, attribute: string): (id: number) => string | null {
  const isOwn = attribute === index.settings.distinctAttribute;
  if (!isOwn && !coversPath(index.settings.filterableAttributes, attribute)) {
    throw new SearchError(
      "invalid_search_distinct",
      `Attribute \`${attribute}\` is not filterable and thus, cannot be used as distinct attribute. ` +
        availableFilterable(index),
    );
  }
  const column = index.column(attribute);
  if (!column) return () => null;
  const { keys } = lookupOf(column);
  return (id) => {
    const at = column.starts[id]!;
    return at < column.starts[id + 1]! ? keys[column.refs[at]!]! : null;
  };
}

/** The first item of each key, in order; an item without a key is like no other. */
export function dropRepeats<T>(
  items: T[],
  idOf: (item: T) => number,
  keyOf: ((id: number) => string | null) | null,
): T[] {
  if (!keyOf) return items;
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(idOf(item));
    if (key === null) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
