/**
 * `["price:asc", "_geoPoint(48.8, 2.3):asc"]` becomes a comparison of documents. Numbers come before texts in both
 * directions, texts compare without case, and a document without the attribute comes last in both. With several
 * values the smallest counts when ascending, the greatest when descending.
 */
import { lookupOf } from "../filter/column-lookup.ts";
import { coversPath } from "../contract/attribute-paths.ts";
import { distanceInMetres, type GeoPoint, geoPoints } from "../geo/points.ts";
import { type Column, type DocumentOrder, type Index, type Json, SearchError } from "../contract/types.ts";

interface SortRule {
  /** Smaller = earlier; Infinity = last. */
  rank: (id: number) => number;
  distance?: (id: number) => number | null;
  /** The value that a document is sorted by, to explain its rank. */
  explain: (id: number) => { value: Json; distance?: number | null };
}

/**
 * Throws `SearchError` with code `invalid_search_sort`. Ranking rules (`isRankingRule`) may name attributes that readers
 * cannot sort by; one without a column does not order anything.
 */
export function compileSort(
  index: Index,
  rules: readonly string[],
  options: { isRankingRule?: boolean } = {},
): DocumentOrder {
  const compiled = rules.map((rule) => compileRule(index, rule, options.isRankingRule ?? false));
  const distance = compiled.find((rule) => rule.distance)?.distance;
  return {
    compare(a, b) {
      for (const { rank } of compiled) {
        const [left, right] = [rank(a), rank(b)];
        if (left !== right) return left < right ? -1 : 1;
      }
      return 0;
    },
    explain: (id) => compiled[0]?.explain(id) ?? { value: null },
    ...(distance && { distance }),
  };
}

function compileRule(index: Index, text: string, isRankingRule: boolean): SortRule {
  const match = /^(.*):(asc|desc)$/s.exec(text.trim());
  if (!match) {
    throw new SearchError(
      "invalid_search_sort",
      `Invalid syntax for the sort parameter: expected expression ending by \`:asc\` or \`:desc\`, found \`${text}\`.`,
    );
  }
  const attribute = match[1]!.trim();
  const isDescending = match[2] === "desc";
  if (attribute.startsWith("_geoPoint")) return geoRule(index, attribute, isDescending);
  if (/^_geo(?:Distance|Radius|BoundingBox)?(?:\(|$)/.test(attribute)) {
    throw new SearchError(
      "invalid_search_sort",
      `\`${attribute}\` is a reserved keyword and thus can't be used as a sort expression. ` +
        "Use the `_geoPoint(latitude, longitude)` built-in rule to sort on `_geo` field coordinates.",
    );
  }
  if (!isRankingRule) checkSortable(index, attribute);
  const column = index.column(attribute);
  if (!column) return { rank: () => 0, explain: () => ({ value: null }) };
  const ranks = rankDocuments(column, isDescending);
  // Rarely needed, and only for a few hits.
  let valueRanks: Float64Array | null = null;
  const explain = (id: number) => {
    valueRanks ??= rankValues(column, isDescending);
    return { value: decidingValue(column, id, valueRanks) };
  };
  return { rank: (id) => ranks[id]!, explain };
}

/** The value, of several, that a document is sorted by. */
function decidingValue(column: Column, id: number, ranks: Float64Array): Json {
  let best: number | null = null;
  for (let at = column.starts[id]!; at < column.starts[id + 1]!; at++) {
    const ref = column.refs[at]!;
    if (best === null || ranks[ref]! < ranks[best]!) best = ref;
  }
  return best === null ? null : column.values[best]!;
}

function checkSortable(index: Index, attribute: string): void {
  const sortable = index.settings.sortableAttributes;
  if (coversPath(sortable, attribute)) return;
  const names = sortable.map((name) => `\`${name}\``).join(", ");
  const hint = names
    ? `Available sortable attributes are: ${names}.`
    : "This index does not have configured sortable attributes.";
  throw new SearchError("invalid_search_sort", `Attribute \`${attribute}\` is not sortable. ${hint}`);
}

const ranksByColumn = new WeakMap<Column, { asc?: Float64Array; desc?: Float64Array }>();

function rankDocuments(column: Column, isDescending: boolean): Float64Array {
  const known = ranksByColumn.get(column) ?? {};
  ranksByColumn.set(column, known);
  const direction = isDescending ? "desc" : "asc";
  return (known[direction] ??= computeRanks(column, isDescending));
}

function computeRanks(column: Column, isDescending: boolean): Float64Array {
  const valueRanks = rankValues(column, isDescending);
  const ranks = new Float64Array(column.starts.length - 1).fill(Infinity);
  for (let id = 0; id < ranks.length; id++) {
    for (let at = column.starts[id]!; at < column.starts[id + 1]!; at++) {
      ranks[id] = Math.min(ranks[id]!, valueRanks[column.refs[at]!]!);
    }
  }
  return ranks;
}

/** Equal values (texts that differ in case) get equal ranks. */
function rankValues(column: Column, isDescending: boolean): Float64Array {
  const { keys, numberCount } = lookupOf(column);
  const sign = isDescending ? -1 : 1;
  const order = Array.from(keys.keys()).sort((a, b) => {
    const isNumber = a < numberCount;
    if (isNumber !== b < numberCount) return isNumber ? -1 : 1;
    if (isNumber) return sign * (a - b);
    return keys[a] === keys[b] ? 0 : sign * (keys[a]! < keys[b]! ? -1 : 1);
  });
  const ranks = new Float64Array(keys.length);
  order.forEach((value, position) => {
    const previous = order[position - 1];
    const isEqual = previous !== undefined && value >= numberCount && keys[previous] === keys[value];
    ranks[value] = isEqual ? ranks[previous]! : position;
  });
  return ranks;
}

function geoRule(index: Index, expression: string, isDescending: boolean): SortRule {
  const origin = parsePoint(expression);
  checkSortable(index, "_geo");
  const points = geoPoints(index);
  const distance = (id: number): number | null => {
    if (!points || Number.isNaN(points.latitudes[id]!) || Number.isNaN(points.longitudes[id]!)) return null;
    return distanceInMetres(origin, { latitude: points.latitudes[id]!, longitude: points.longitudes[id]! });
  };
  const rank = (id: number): number => {
    const metres = distance(id);
    return metres === null ? Infinity : isDescending ? -metres : metres;
  };
  const explain = (id: number) => {
    const metres = distance(id);
    const value = metres === null ? null : { lat: points!.latitudes[id]!, lng: points!.longitudes[id]! };
    return { value, distance: metres };
  };
  return { rank, distance, explain };
}

function parsePoint(expression: string): GeoPoint {
  const number = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
  const match = new RegExp(`^_geoPoint\\(${number},${number}\\)$`).exec(expression);
  const latitude = Number(match?.[1]);
  const longitude = Number(match?.[2]);
  if (match && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  throw new SearchError(
    "invalid_search_sort",
    `Invalid syntax for the geo parameter: expected expression formatted like \`_geoPoint(latitude, longitude)\` ` +
      `and ending by \`:asc\` or \`:desc\`, found \`${expression}\`.`,
  );
}
