/**
 * A filter over columns gives the set of documents that pass it.
 *
 * Each condition becomes the numbers of the values that satisfy it, then the documents that have one of them:
 * `year >= 2020` is one range of value numbers, because a column's values are sorted. A document with several
 * values passes if any of them does; negations (`!=`, `NOT …`) are complements, so a document without the
 * attribute passes them.
 */
import { coversPath } from "../contract/attribute-paths.ts";
import { runSteps, type Steps } from "../contract/steps.ts";
import {
  type Column,
  ColumnState,
  type DocumentSet,
  type Index,
  type SearchQuery,
} from "../contract/types.ts";
import { createWork, type Work, WorkOf } from "../contract/work.ts";
import type { ComparisonOperator, FilterNode, Token } from "./ast.ts";
import { comparableKey, isPresentState, lookupOf, toNumber } from "./column-lookup.ts";
import { availableFilterable, filterError, refuseIfOver } from "./errors.ts";
import { type GeoNode, geoSteps, isGeo } from "./evaluate-geo.ts";
import { parseFilter } from "./parse.ts";

/** Evaluated filters kept per index: as a reader types, every letter sends the same filter. */
const KEPT_SETS = 32;
const keptSets = new WeakMap<Index, Map<string, DocumentSet>>();

/**
 * The documents that pass; null if there is nothing to filter by. The set is shared: do not write to it.
 * Throws `SearchError` with code `invalid_search_filter`: a syntax mistake, or an attribute that is not filterable.
 */
export function evaluateFilter(index: Index, filter: SearchQuery["filter"]): DocumentSet | null {
  return runSteps(filterSteps(index, filter, createWork()));
}

/** The same, condition by condition. Also throws for a filter that takes more work than is left. */
export function* filterSteps(
  index: Index,
  filter: SearchQuery["filter"],
  work: Work,
): Steps<DocumentSet | null> {
  if (filter === undefined) return null;
  const sets = keptSets.get(index) ?? new Map<string, DocumentSet>();
  keptSets.set(index, sets);
  const key = JSON.stringify(filter);
  const known = sets.get(key);
  if (known) return known;
  const node = parseFilter(filter);
  if (!node) return null;
  const set = yield* evaluate(index, node, work);
  if (sets.size >= KEPT_SETS) sets.delete(sets.keys().next().value!);
  sets.set(key, set);
  return set;
}

function* evaluate(index: Index, node: FilterNode, work: Work): Steps<DocumentSet> {
  switch (node.kind) {
    case "and":
      return yield* join(index, node.nodes, intersect, work);
    case "or":
      return yield* join(index, node.nodes, unite, work);
    case "not":
      return complement(yield* evaluate(index, node.node, work));
    default:
      yield;
      refuseIfOver(work);
      work.add(index.documentCount * WorkOf.member);
      if (isGeo(node)) return yield* geoSteps(index, node, work);
      return evaluateCondition(index, node, work);
  }
}

/** One after the other: the sets of two thousand conditions are never in memory together. */
function* join(
  index: Index,
  nodes: readonly FilterNode[],
  add: (a: DocumentSet, b: DocumentSet) => DocumentSet,
  work: Work,
): Steps<DocumentSet> {
  let joined: DocumentSet | null = null;
  for (const node of nodes) {
    const set: DocumentSet = yield* evaluate(index, node, work);
    joined = joined ? add(joined, set) : set;
  }
  return joined ?? new Uint8Array(index.documentCount);
}

function intersect(a: DocumentSet, b: DocumentSet): DocumentSet {
  for (let id = 0; id < a.length; id++) a[id]! &= b[id]!;
  return a;
}

function unite(a: DocumentSet, b: DocumentSet): DocumentSet {
  for (let id = 0; id < a.length; id++) a[id]! |= b[id]!;
  return a;
}

function complement(set: DocumentSet): DocumentSet {
  for (let id = 0; id < set.length; id++) set[id]! ^= 1;
  return set;
}

type Condition = Exclude<FilterNode, GeoNode | { kind: "and" | "or" | "not" }>;

function evaluateCondition(index: Index, node: Condition, work: Work): DocumentSet {
  const set = new Uint8Array(index.documentCount);
  for (const column of filterableColumns(index, node.attribute)) {
    if (comparesEachValue(node)) work.add(column.values.length * WorkOf.orderedValue);
    addMatches(set, column, node);
  }
  return node.kind === "compare" && node.operator === "!=" ? complement(set) : set;
}

function comparesEachValue(node: Condition): boolean {
  if (node.kind === "compare") return node.operator !== "=" && node.operator !== "!=";
  return node.kind === "between" || node.kind === "contains" || node.kind === "startsWith";
}

/** The column of the attribute, or of everything below it: `author` reaches `author.name`. */
function filterableColumns(index: Index, attribute: Token): Column[] {
  const filterable = index.settings.filterableAttributes;
  const path = attribute.text;
  if (!coversPath(filterable, path) && !filterable.some((name) => name.startsWith(`${path}.`))) {
    throw filterError(`Attribute \`${path}\` is not filterable. ${availableFilterable(index)}`, attribute);
  }
  const own = index.column(path);
  return own ? [own] : [];
}

function addMatches(set: DocumentSet, column: Column, node: Condition): void {
  switch (node.kind) {
    case "exists":
      return addByState(set, column, isPresentState);
    case "isNull":
      return addByState(set, column, (state) => state === ColumnState.null);
    case "isEmpty":
      return addByState(set, column, (state) => state === ColumnState.empty);
    case "in":
      for (const text of new Set(node.values.map((value) => value.text))) addEqual(set, column, text);
      return;
    case "contains":
      return addByKey(set, column, node.value.text, (key, part) => key.includes(part));
    case "startsWith":
      return addByKey(set, column, node.value.text, (key, part) => key.startsWith(part));
    case "between":
      return addRange(set, column, {
        from: node.from.text,
        to: node.to.text,
        fromOpen: false,
        toOpen: false,
      });
    case "compare":
      return addComparison(set, column, node.operator, node.value.text);
  }
}

function addComparison(set: DocumentSet, column: Column, operator: ComparisonOperator, bound: string): void {
  if (operator === "=" || operator === "!=") return addEqual(set, column, bound);
  const isOpen = operator === ">" || operator === "<";
  const range = operator.startsWith(">") ? { from: bound, fromOpen: isOpen } : { to: bound, toOpen: isOpen };
  return addRange(set, column, range);
}

function addByState(set: DocumentSet, column: Column, isWanted: (state: number) => boolean): void {
  for (let id = 0; id < set.length; id++) if (isWanted(column.states[id]!)) set[id] = 1;
}

function addValue(set: DocumentSet, column: Column, value: number): void {
  const { starts, documents } = lookupOf(column);
  for (let at = starts[value]!; at < starts[value + 1]!; at++) set[documents[at]!] = 1;
}

/** Equal as text, or equal as numbers: `1.0` finds 1. */
function addEqual(set: DocumentSet, column: Column, text: string): void {
  const lookup = lookupOf(column);
  for (const value of lookup.byKey.get(comparableKey(text)) ?? []) addValue(set, column, value);
  const number = toNumber(text);
  if (number === null) return;
  for (const value of lookup.byKey.get(comparableKey(number)) ?? []) {
    if (value < lookup.numberCount) addValue(set, column, value);
  }
}

function addByKey(
  set: DocumentSet,
  column: Column,
  text: string,
  isWanted: (key: string, part: string) => boolean,
): void {
  const part = comparableKey(text);
  lookupOf(column).keys.forEach((key, value) => {
    if (isWanted(key, part)) addValue(set, column, value);
  });
}

interface ValueRange {
  from?: string;
  fromOpen?: boolean;
  to?: string;
  toOpen?: boolean;
}

/** Numbers compare with numbers; texts (dates, versions) with the bound as text, in code unit order. */
function addRange(set: DocumentSet, column: Column, range: ValueRange): void {
  const { keys, numberCount } = lookupOf(column);
  const lowest = range.from === undefined ? -Infinity : toNumber(range.from);
  const highest = range.to === undefined ? Infinity : toNumber(range.to);
  if (lowest !== null && highest !== null) {
    for (let value = 0; value < numberCount; value++) {
      // The first `numberCount` values are numbers.
      const number = Number(column.values[value]);
      if (isInside(number, lowest, highest, range)) addValue(set, column, value);
    }
  }
  const first = range.from === undefined ? null : comparableKey(range.from);
  const last = range.to === undefined ? null : comparableKey(range.to);
  for (let value = numberCount; value < keys.length; value++) {
    const key = keys[value]!;
    if (first !== null && (range.fromOpen ? key <= first : key < first)) continue;
    if (last !== null && (range.toOpen ? key >= last : key > last)) continue;
    addValue(set, column, value);
  }
}

function isInside(number: number, lowest: number, highest: number, range: ValueRange): boolean {
  const isAbove = range.fromOpen ? number > lowest : number >= lowest;
  const isBelow = range.toOpen ? number < highest : number <= highest;
  return isAbove && isBelow;
}
