/**
 * A filter over columns gives the set of documents that pass it.
 *
 * Each condition becomes the numbers of the values that satisfy it, then the documents that have one of them:
 * `year >= 2020` is one range of value numbers, because a column's values are sorted. A document with several
 * values passes if any of them does; negations (`!=`, `NOT …`) are complements, so a document without the
 * attribute passes them.
 */
import { coversPath } from "../format/attribute-paths.ts";
import { distanceInMetres, geoPoints, isInBox } from "../geo.ts";
import { type Column, ColumnState, type DocumentSet, type Index, type SearchQuery } from "../types.ts";
import type { ComparisonOperator, FilterNode, Token } from "./ast.ts";
import { comparableKey, isPresentState, lookupOf, toNumber } from "./column-lookup.ts";
import { filterError } from "./errors.ts";
import { parseFilter } from "./parse.ts";

/** Evaluated filters that are kept per index: a reader who refines sends the same filter with every letter. */
const KEPT_SETS = 32;
const keptSets = new WeakMap<Index, Map<string, DocumentSet>>();

/**
 * The documents that pass; null if there is nothing to filter by. The set is shared: do not write to it.
 * Throws `SearchError` with code `invalid_search_filter`: a syntax mistake, or an attribute that is not filterable.
 */
export function evaluateFilter(index: Index, filter: SearchQuery["filter"]): DocumentSet | null {
  if (filter === undefined) return null;
  const sets = keptSets.get(index) ?? new Map<string, DocumentSet>();
  keptSets.set(index, sets);
  const key = JSON.stringify(filter);
  const known = sets.get(key);
  if (known) return known;
  const node = parseFilter(filter);
  if (!node) return null;
  const set = evaluate(index, node);
  if (sets.size >= KEPT_SETS) sets.delete(sets.keys().next().value!);
  sets.set(key, set);
  return set;
}

function evaluate(index: Index, node: FilterNode): DocumentSet {
  switch (node.kind) {
    case "and":
      return node.nodes.map((child) => evaluate(index, child)).reduce(intersect);
    case "or":
      return node.nodes.map((child) => evaluate(index, child)).reduce(unite);
    case "not":
      return complement(evaluate(index, node.node));
    case "geoRadius":
    case "geoBox":
      return evaluateGeo(index, node);
    default:
      return evaluateCondition(index, node);
  }
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

type Condition = Exclude<FilterNode, { kind: "and" | "or" | "not" | "geoRadius" | "geoBox" }>;

function evaluateCondition(index: Index, node: Condition): DocumentSet {
  const set = new Uint8Array(index.documentCount);
  for (const column of filterableColumns(index, node.attribute)) addMatches(set, column, node);
  return node.kind === "compare" && node.operator === "!=" ? complement(set) : set;
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

/** The sentence that tells which attributes would have been right. */
export function availableFilterable(index: Index): string {
  const names = index.settings.filterableAttributes.map((name) => `\`${name}\``);
  if (names.length === 0) return "This index does not have configured filterable attributes.";
  return `Available filterable attribute patterns are: ${names.join(", ")}.`;
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
      for (const value of node.values) addEqual(set, column, value.text);
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

function evaluateGeo(index: Index, node: Extract<FilterNode, { kind: "geoRadius" | "geoBox" }>): DocumentSet {
  if (!coversPath(index.settings.filterableAttributes, "_geo")) {
    throw filterError(`Attribute \`_geo\` is not filterable. ${availableFilterable(index)}`, node.at);
  }
  const set = new Uint8Array(index.documentCount);
  const points = geoPoints(index);
  if (!points) return set;
  for (let id = 0; id < set.length; id++) {
    const latitude = points.latitudes[id]!;
    const longitude = points.longitudes[id]!;
    if (Number.isNaN(latitude) || Number.isNaN(longitude)) continue;
    const point = { latitude, longitude };
    const isInside =
      node.kind === "geoRadius" ? distanceInMetres(node, point) <= node.metres : isInBox(point, node);
    if (isInside) set[id] = 1;
  }
  return set;
}
