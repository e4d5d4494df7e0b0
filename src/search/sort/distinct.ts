import { lookupOf } from "../filter/column-lookup.ts";
import { availableFilterable } from "../filter/errors.ts";
import { coversPath } from "../contract/attribute-paths.ts";
import { type Column, type Index, SearchError } from "../contract/types.ts";

/** The group of documents that count as one; null = the document has no value and stands for itself. */
export type DistinctKey = (id: number) => number | null;

/**
 * Documents are the same for `distinct` if the texts of their values are equal, whatever their case. With several
 * values the first counts.
 *
 * An attribute from a query must be filterable (`SearchError`, code `invalid_search_distinct`); the index's own
 * distinct attribute is taken as it is.
 */
export function compileDistinct(index: Index, attribute: string): DistinctKey {
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
  const groups = groupsOf(column);
  return (id) => {
    const at = column.starts[id]!;
    return at < column.starts[id + 1]! ? groups[column.refs[at]!]! : null;
  };
}

const groupsByColumn = new WeakMap<Column, Uint32Array>();

/** Value number → the first value number with the same text. */
function groupsOf(column: Column): Uint32Array {
  const known = groupsByColumn.get(column);
  if (known) return known;
  const { keys, byKey } = lookupOf(column);
  const groups = Uint32Array.from(keys, (key) => byKey.get(key)![0]!);
  groupsByColumn.set(column, groups);
  return groups;
}

/** The first item of each key, in order; an item without a key is always kept. */
export function dropRepeats<T>(items: readonly T[], idOf: (item: T) => number, keyOf: DistinctKey): T[] {
  const seen = new Set<number>();
  return items.filter((item) => {
    const key = keyOf(idOf(item));
    if (key === null) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** How many items `dropRepeats` leaves of documents in any order. */
export function countDistinct(ids: Iterable<number>, keyOf: DistinctKey): number {
  const seen = new Set<number>();
  let alone = 0;
  for (const id of ids) {
    const key = keyOf(id);
    if (key === null) alone++;
    else seen.add(key);
  }
  return seen.size + alone;
}
