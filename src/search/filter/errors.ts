import { type Index, SearchError } from "../contract/types.ts";
import type { Work } from "../contract/work.ts";
import type { Token } from "./ast.ts";

const OPERATIONS =
  "`=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, `IS NULL`, `IS NOT NULL`, " +
  "`IS EMPTY`, `IS NOT EMPTY`, `CONTAINS`, `NOT CONTAINS`, `STARTS WITH`, `NOT STARTS WITH`, `_geoRadius`, " +
  "`_geoBoundingBox`, or `_geoPolygon`";

/**
 * A mistake in a filter. The second line gives columns from 1, counted in characters, and the whole expression:
 * `10:15 title = a b`. Clients of Meilisearch show it as it is.
 */
export function filterError(message: string, token: Token): SearchError {
  const from = countCharacters(token.source.slice(0, token.start)) + 1;
  const to = from + countCharacters(token.source.slice(token.start, token.end));
  return new SearchError("invalid_search_filter", `${message}\n${from}:${to} ${token.source}`);
}

function countCharacters(text: string): number {
  return text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, "_").length;
}

export function expectedOperation(rest: Token): SearchError {
  const found = rest.text === "" ? "but instead got nothing." : `at \`${rest.text}\`.`;
  return filterError(`Was expecting an operation ${OPERATIONS} ${found}`, rest);
}

export function expectedValue(found: Token, isReserved: boolean): SearchError {
  if (found.text === "") return filterError("Was expecting a value but instead got nothing.", found);
  if (!isReserved) return filterError(`Was expecting a value but instead got \`${found.text}\`.`, found);
  return filterError(
    `Was expecting a value but instead got \`${found.text}\`, which is a reserved keyword. ` +
      `To use \`${found.text}\` as a field name or a value, surround it by quotes.`,
    found,
  );
}

export function reservedGeo(name: Token): SearchError {
  return filterError(
    `\`${name.text}\` is a reserved keyword and thus can't be used as a filter expression. ` +
      "Use the `_geoRadius(latitude, longitude, distance)` or " +
      "`_geoBoundingBox([latitude, longitude], [latitude, longitude])` built-in rules to filter on `_geo` coordinates.",
    name,
  );
}

/** The sentence that lists the attributes that would have been right. */
export function availableFilterable(index: Index): string {
  const names = index.settings.filterableAttributes.map((name) => `\`${name}\``);
  if (names.length === 0) return "This index does not have configured filterable attributes.";
  return `Available filterable attribute patterns are: ${names.join(", ")}.`;
}

export function refuseIfOver(work: Work): void {
  if (!work.isOver()) return;
  throw new SearchError(
    "invalid_search_filter",
    "The filter takes longer than one request allows. Use fewer conditions, or `IN [a, b]` for many values of one attribute.",
  );
}
