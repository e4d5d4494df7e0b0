import { MAX_FACET_QUERY_CHARACTERS, MAX_FACET_QUERY_WORDS } from "../contract/limits.ts";
import { getOwn, setOwn } from "../contract/own-properties.ts";
import type { Steps } from "../contract/steps.ts";
import { type Work, WorkOf } from "../contract/work.ts";
import { boundedDistance } from "./facet-distance.ts";
import { availableFilterable } from "../filter/errors.ts";
import { lookupOf } from "../filter/column-lookup.ts";
import { coversPath } from "../contract/attribute-paths.ts";
import {
  type Column,
  type FacetHits,
  type FacetQuery,
  type Index,
  type IndexSettings,
  SearchError,
} from "../contract/types.ts";

export interface FacetCounts {
  facetDistribution: { [attribute: string]: { [value: string]: number } };
  facetStats: { [attribute: string]: { min: number; max: number } };
}

interface CountedValue {
  text: string;
  key: string;
  /** The key as a number; NaN for a text. */
  number: number;
  count: number;
}

/** Documents that are counted between two yields, and values that are compared with the typed text. */
const STRETCH = 2000;

/**
 * How often each value of the named attributes (`["*"]` = all filterable ones) occurs in the documents `ids`, and
 * the smallest and greatest number. Values that differ only in case are one, written as the first of them.
 * Throws `SearchError` with code `invalid_search_facets`; also for facets that take more work than is left, or for which the
 * answer has no room: some of the counts would be wrong.
 */
export function* facetSteps(
  index: Index,
  ids: Uint32Array,
  names: readonly string[],
  work: Work,
): Steps<FacetCounts> {
  const facets: FacetCounts = { facetDistribution: {}, facetStats: {} };
  for (const attribute of facetAttributes(index, names)) {
    const column = index.column(attribute);
    const counts = column ? yield* countValues(column, ids, work) : new Uint32Array(0);
    const values = column ? orderValues(index, attribute, mergeByKey(column, counts)) : [];
    work.add(values.length * WorkOf.orderedValue);
    const distribution = Object.fromEntries(
      values.slice(0, index.settings.maxFacetValues).map(({ text, count }) => [text, count]),
    );
    if (work.hasRoomFor?.(distribution) === false) throw tooMuch("The values of the facets are longer");
    setOwn(facets.facetDistribution, attribute, distribution);
    const stats = column && statsOf(column, counts);
    if (stats) setOwn(facets.facetStats, attribute, stats);
    yield;
  }
  return facets;
}

/** How many of the documents have each value. */
function* countValues(column: Column, ids: Uint32Array, work: Work): Steps<Uint32Array> {
  const counts = new Uint32Array(column.values.length);
  for (let from = 0; from < ids.length; from += STRETCH) {
    if (work.isOver()) throw tooMuch("Counting the facets takes longer");
    const to = Math.min(ids.length, from + STRETCH);
    for (let at = from; at < to; at++) countDocument(column, ids[at]!, counts);
    work.add((to - from) * WorkOf.value);
    yield;
  }
  return counts;
}

function tooMuch(what: string): SearchError {
  return new SearchError(
    "invalid_search_facets",
    `${what} than one request allows. Request fewer facets, or narrow the search with a filter.`,
  );
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
    else merged.set(key, { text: String(column.values[value]), key, number: Number(key), count });
  });
  return [...merged.values()];
}

/** Values come in the column's order, so numbers stay in numeric order; only texts need sorting. */
function orderValues(index: Index, attribute: string, values: CountedValue[]): CountedValue[] {
  return facetOrderOf(index.settings, attribute) === "count"
    ? values.sort((a, b) => b.count - a.count || compareKeys(a, b))
    : values.sort(compareKeys);
}

/** How the values of an attribute are ordered, by its own setting or that of all. */
export function facetOrderOf({ facetOrder }: IndexSettings, attribute: string): "alpha" | "count" {
  return getOwn(facetOrder, attribute) ?? getOwn(facetOrder, "*") ?? "alpha";
}

function compareKeys(a: CountedValue, b: CountedValue): number {
  const difference = a.number - b.number;
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
 * The values of one facet that a reader may mean by what they have typed so far. Every typed word must begin a word of
 * the value, with one typo from 5 letters and two from 9, as in the search itself; fewer typos come first.
 * Throws `SearchError` with code `invalid_facet_search_facet_name`, and where the work that is left is not enough.
 */
export function* facetValueSteps(
  index: Index,
  ids: Uint32Array,
  query: FacetQuery,
  work: Work,
): Steps<FacetHits> {
  if (!coversPath(index.settings.filterableAttributes, query.facet)) {
    throw new SearchError(
      "invalid_facet_search_facet_name",
      `Attribute \`${query.facet}\` is not facet-searchable. ${availableFilterable(index)} ` +
        "To make it facet-searchable add it to the `filterableAttributes` index settings.",
    );
  }
  const column = index.column(query.facet);
  if (!column) return { facetHits: [] };
  const counts = yield* countValues(column, ids, work);
  const typed = typedWords(query.facetQuery);
  const found: { value: CountedValue; typos: number }[] = [];
  for (const [at, value] of orderValues(index, query.facet, mergeByKey(column, counts)).entries()) {
    if (at % STRETCH === STRETCH - 1) {
      if (work.isOver()) throw tooMuch("Comparing the values of the facet takes longer");
      yield;
    }
    work.add(WorkOf.orderedValue * (1 + typed.length));
    const typos = countTypos(typed, wordsOf(value.key), index);
    if (typos !== null) found.push({ value, typos });
  }
  found.sort((a, b) => a.typos - b.typos);
  const facetHits = found
    .slice(0, index.settings.maxFacetValues)
    .map(({ value }) => ({ value: value.text, count: value.count }));
  if (work.hasRoomFor?.(facetHits) === false) throw tooMuch("The values of the facet are longer");
  return { facetHits };
}

/** Longer input is cut, like a query. */
function typedWords(facetQuery: string): string[] {
  const words = wordsOf(facetQuery.slice(0, MAX_FACET_QUERY_CHARACTERS));
  return [...new Set(words)].slice(0, MAX_FACET_QUERY_WORDS);
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
    let best = Infinity;
    for (const candidate of words) best = Math.min(best, boundedDistance(word, candidate, allowed));
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
