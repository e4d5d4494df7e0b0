import { boundedDistance } from "./facet-distance.ts";
import { availableFilterable } from "./filter/evaluate.ts";
import { lookupOf } from "./filter/column-lookup.ts";
import { coversPath } from "./format/attribute-paths.ts";
import { type Column, type FacetHits, type FacetQuery, type Index, SearchError } from "./types.ts";

export interface FacetCounts {
  facetDistribution: { [attribute: string]: { [value: string]: number } };
  facetStats: { [attribute: string]: { min: number; max: number } };
}

interface CountedValue {
  text: string;
  key: string;
  count: number;
}

/**
 * How often each value of the named attributes (`["*"]` = all filterable ones) stands in the documents `ids`, and
 * the smallest and greatest number. Values that differ only in case are one, written as the first of them.
 * Throws `SearchError` with code `invalid_search_facets`.
 */
export function countFacets(index: Index, ids: Iterable<number>, names: readonly string[]): FacetCounts {
  const attributes = facetAttributes(index, names);
  const columns = attributes.map((attribute) => index.column(attribute));
  const counts = columns.map((column) => new Uint32Array(column?.values.length ?? 0));
  for (const id of ids) {
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      if (column) countDocument(column, id, counts[at]!);
    }
  }
  const facets: FacetCounts = { facetDistribution: {}, facetStats: {} };
  attributes.forEach((attribute, at) => {
    const column = columns[at];
    const values = column ? orderValues(index, attribute, mergeByKey(column, counts[at]!)) : [];
    facets.facetDistribution[attribute] = Object.fromEntries(
      values.slice(0, index.settings.maxFacetValues).map(({ text, count }) => [text, count]),
    );
    const stats = column && statsOf(column, counts[at]!);
    if (stats) facets.facetStats[attribute] = stats;
  });
  return facets;
}

function facetAttributes(index: Index, names: readonly string[]): string[] {
  const filterable = index.settings.filterableAttributes;
  const attributes = new Set<string>();
  for (const name of names) {
    if (!name.includes("*") && !coversPath(filterable, name)) {
      throw new SearchError(
        "invalid_search_facets",
        `Invalid facet distribution: Attribute \`${name}\` is not filterable. ${availableFilterable(index)}`,
      );
    }
    const below = index.columnNames.filter(
      (path) => coversPath([name], path) && coversPath(filterable, path) && !path.startsWith("_geo"),
    );
    if (below.length === 0 && !name.includes("*")) attributes.add(name);
    for (const path of below) attributes.add(path);
  }
  return [...attributes];
}

function countDocument(column: Column, id: number, counts: Uint32Array): void {
  const end = column.starts[id + 1]!;
  for (let at = column.starts[id]!; at < end; at++) counts[column.refs[at]!]!++;
}

function mergeByKey(column: Column, counts: Uint32Array): CountedValue[] {
  const { keys } = lookupOf(column);
  const merged = new Map<string, CountedValue>();
  counts.forEach((count, value) => {
    if (count === 0) return;
    const key = keys[value]!;
    const same = merged.get(key);
    if (same) same.count += count;
    else merged.set(key, { text: String(column.values[value]), key, count });
  });
  return [...merged.values()];
}

/** Values come in the column's order, so numbers stay in numeric order; only texts need sorting. */
function orderValues(index: Index, attribute: string, values: CountedValue[]): CountedValue[] {
  const order = index.settings.facetOrder[attribute] ?? index.settings.facetOrder["*"] ?? "alpha";
  return order === "count"
    ? values.sort((a, b) => b.count - a.count || compareKeys(a, b))
    : values.sort(compareKeys);
}

function compareKeys(a: CountedValue, b: CountedValue): number {
  const difference = Number(a.key) - Number(b.key);
  if (!Number.isNaN(difference) && difference !== 0) return difference;
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

function statsOf(column: Column, counts: Uint32Array): { min: number; max: number } | null {
  const { numberCount } = lookupOf(column);
  let min: number | null = null;
  let max = 0;
  for (let value = 0; value < numberCount; value++) {
    if (counts[value] === 0) continue;
    max = Number(column.values[value]);
    min ??= max;
  }
  return min === null ? null : { min, max };
}

/**
 * The values of one facet that a reader may mean by what he typed so far. Every typed word must begin a word of
 * the value, with one typo from 5 letters and two from 9, as in the search itself; fewer typos come first.
 * Throws `SearchError` with code `invalid_facet_search_facet_name`.
 */
export function findFacetValues(index: Index, ids: Iterable<number>, query: FacetQuery): FacetHits {
  if (!coversPath(index.settings.filterableAttributes, query.facet)) {
    throw new SearchError(
      "invalid_facet_search_facet_name",
      `Attribute \`${query.facet}\` is not facet-searchable. ${availableFilterable(index)} ` +
        "To make it facet-searchable add it to the `filterableAttributes` index settings.",
    );
  }
  const column = index.column(query.facet);
  if (!column) return { facetHits: [] };
  const counts = new Uint32Array(column.values.length);
  for (const id of ids) countDocument(column, id, counts);
  const typed = wordsOf(query.facetQuery);
  const found = orderValues(index, query.facet, mergeByKey(column, counts))
    .map((value) => ({ value, typos: countTypos(typed, wordsOf(value.key), index) }))
    .filter(({ typos }) => typos !== null)
    .sort((a, b) => a.typos! - b.typos!);
  const facetHits = found
    .slice(0, index.settings.maxFacetValues)
    .map(({ value }) => ({ value: value.text, count: value.count }));
  return { facetHits };
}

function wordsOf(text: string): string[] {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? (folded.trim() === "" ? [] : [folded.trim()]);
}

/** Typos needed so that every typed word begins a word of the value; null if that is not possible. */
function countTypos(typed: string[], words: string[], index: Index): number | null {
  let total = 0;
  for (const word of typed) {
    const allowed = allowedTypos(word, index);
    const best = Math.min(...words.map((candidate) => boundedDistance(word, candidate, allowed)));
    if (best > allowed) return null;
    total += best;
  }
  return total;
}

function allowedTypos(word: string, index: Index): number {
  const { isEnabled, oneTypoFrom, twoTyposFrom } = index.settings.typo;
  if (!isEnabled) return 0;
  return word.length >= twoTyposFrom ? 2 : word.length >= oneTypoFrom ? 1 : 0;
}
