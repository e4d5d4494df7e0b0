/**
 * Merges the lists of a federated search into one.
 *
 *   query 1, sorted by price:asc     3 €   7 €   9 €
 *   query 2, sorted by cost:asc         5 €   8 €          attributes may differ, directions may not
 *   merged                           3 € 5 € 7 € 8 € 9 €
 *
 * A merge, not a sort: every query's own order stays as its index's rules made it. The waiting hit
 * with the better sort values goes first, if both are sorted in the same directions; else the one with
 * the better weighted score; else the one of the earlier query. Where an index ranks by its text before
 * `sort`, scores count first.
 */
import { type Column, lookupOf, type OpenedIndex, type SearchQuery } from "#search/index.ts";

/** One value of a sort; null = the document has none. */
type SortValue = number | string | null;

export interface SortKey {
  values: readonly { value: SortValue; isDescending: boolean }[];
  /** Decides before the score. */
  isFirst: boolean;
}

/** The data of a hit that is known without reading its contents. */
export interface PlacedHit {
  document: number;
  /** Metres from the point that was sorted by. */
  distance: number | null;
}

export interface FederatedHit {
  /** Ranking score times weight. */
  weighted: number;
  /** null: its query is not sorted. */
  sort: SortKey | null;
}

export function mergeByRank<Item extends FederatedHit>(lists: readonly (readonly Item[])[]): Item[] {
  const next = lists.map(() => 0);
  const merged: Item[] = [];
  for (;;) {
    let best = -1;
    lists.forEach((list, number) => {
      const item = list[next[number]!];
      if (item && (best < 0 || compareHits(item, lists[best]![next[best]!]!) < 0)) best = number;
    });
    if (best < 0) return merged;
    merged.push(lists[best]![next[best]!++]!);
  }
}

function compareHits(a: FederatedHit, b: FederatedHit): number {
  const byScore = b.weighted - a.weighted;
  if (!a.sort || !b.sort) return byScore;
  const bySort = compareKeys(a.sort, b.sort);
  return a.sort.isFirst && b.sort.isFirst ? bySort || byScore : byScore || bySort;
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (let at = 0; at < Math.min(a.values.length, b.values.length); at++) {
    const [left, right] = [a.values[at]!, b.values[at]!];
    if (left.isDescending !== right.isDescending) return 0;
    const order = compareValues(left.value, right.value, left.isDescending);
    if (order !== 0) return order;
  }
  return 0;
}

/** As the engine sorts: numbers before texts and nothing last, in both directions. */
function compareValues(a: SortValue, b: SortValue, isDescending: boolean): number {
  if (a === b) return 0;
  const [left, right] = [kindOf(a), kindOf(b)];
  if (left !== right) return left - right;
  return (a! < b! ? -1 : 1) * (isDescending ? -1 : 1);
}

function kindOf(value: SortValue): number {
  return value === null ? 2 : typeof value === "number" ? 0 : 1;
}

/** The values by which a query's hits are compared; null if it is not sorted. Its search has checked the rules. */
export function sortKeyOf(index: OpenedIndex, query: SearchQuery): ((hit: PlacedHit) => SortKey) | null {
  const { rankingRules, hierarchy } = index.settings;
  if (!query.sort?.length || !rankingRules.includes("sort")) return null;
  const rules = query.sort.map((rule) => {
    const [, attribute = "", direction] = /^(.*):(asc|desc)$/s.exec(rule.trim()) ?? [];
    return { read: valueReader(index, attribute.trim(), direction), isDescending: direction === "desc" };
  });
  const isFirst = hierarchy !== null || rankingRules[0] === "sort" || query.q.trim() === "";
  return (hit) => ({
    values: rules.map(({ read, isDescending }) => ({ value: read(hit), isDescending })),
    isFirst,
  });
}

function valueReader(
  index: OpenedIndex,
  attribute: string,
  direction: string | undefined,
): (hit: PlacedHit) => SortValue {
  if (attribute.startsWith("_geoPoint")) return ({ distance }) => distance;
  const column = index.column(attribute);
  return ({ document }) => (column ? extremeValue(column, document, direction === "desc") : null);
}

/** The smallest of several values, or in descending order the greatest; numbers before texts. */
function extremeValue(column: Column, id: number, isDescending: boolean): SortValue {
  const { keys } = lookupOf(column);
  let best: SortValue = null;
  for (let at = column.starts[id]!; at < column.starts[id + 1]!; at++) {
    const ref = column.refs[at]!;
    const value = column.values[ref]!;
    const comparable = typeof value === "number" ? value : keys[ref]!;
    if (compareValues(comparable, best, isDescending) < 0) best = comparable;
  }
  return best;
}
