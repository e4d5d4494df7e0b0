/**
 * A search without words: every document that passes the filter and has no excluded word, by the orders among the rules,
 * or else in their own order. An opened search shows one page, so only one page is sorted.
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import { sequenceOf, unitsWithSequence } from "../query/sequences.ts";
import { selectBest } from "../contract/select.ts";
import { type DistinctKey, dropRepeats } from "../sort/distinct.ts";
import type { DocumentOrder, DocumentSet } from "../contract/types.ts";

export interface ListOptions {
  filter: DocumentSet | null;
  /** Words and phrases that no document's section may have. */
  excluded: readonly string[][];
  orders: readonly DocumentOrder[];
  /** Groups documents that count as one; null = no groups. */
  keyOf: DistinctKey | null;
  /** How many are wanted. */
  count: number;
}

export interface Listed {
  /** The first ones. */
  ids: number[];
  total: number;
  /** All of them, in no order. */
  matching: () => Iterable<number>;
}

export function listDocuments(index: OpenedIndex, options: ListOptions): Listed {
  const { filter, excluded, orders, keyOf, count } = options;
  const barred = barredDocuments(index, excluded);
  const { documentCount } = index;
  if (!filter && !barred && !keyOf && orders.length === 0) {
    const first = (length: number) => Array.from({ length }, (_, id) => id);
    return {
      ids: first(Math.min(count, documentCount)),
      total: documentCount,
      matching: () => first(documentCount),
    };
  }
  const passing: number[] = [];
  for (let id = 0; id < documentCount; id++) {
    if ((!filter || filter[id] === 1) && !barred?.has(id)) passing.push(id);
  }
  const compare = (a: number, b: number): number => {
    for (const order of orders) {
      const difference = order.compare(a, b);
      if (difference !== 0) return difference;
    }
    return a - b;
  };
  if (!keyOf) {
    const best =
      orders.length === 0
        ? passing.slice(0, count)
        : selectBest(passing.length, count, (a, b) => compare(passing[a]!, passing[b]!) < 0).map(
            (at) => passing[at]!,
          );
    return { ids: best, total: passing.length, matching: () => passing };
  }
  // Which of those with the same key comes first depends on the order of all.
  if (orders.length > 0) passing.sort(compare);
  const kept = dropRepeats(passing, (id) => id, keyOf);
  return { ids: kept.slice(0, count), total: kept.length, matching: () => kept };
}

/** Documents of sections that have an excluded word; null if none is excluded. */
function barredDocuments(index: OpenedIndex, excluded: readonly string[][]): Set<number> | null {
  if (excluded.length === 0) return null;
  const barred = new Set<number>();
  for (const words of excluded) {
    for (const unit of unitsWithSequence(index, sequenceOf(index, words))) {
      for (let at = index.unitDocumentStarts[unit]!; at < index.unitDocumentStarts[unit + 1]!; at++) {
        barred.add(index.unitDocuments[at]!);
      }
    }
  }
  return barred;
}
