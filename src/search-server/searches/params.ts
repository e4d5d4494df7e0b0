/** `GET /indexes/:uid/search`: the same search with everything as text in the URL. */
import { ApiError } from "../protocol/errors.ts";
import { setOwn } from "#search/index.ts";
import { snakeCase } from "../protocol/validate.ts";

type Kind = "numbers" | "text" | "count" | "decimal" | "flag" | "list" | "sort" | "filter";

const PARAMETERS = new Map<string, Kind>(
  Object.entries({
    q: "text",
    vector: "numbers",
    hybridEmbedder: "text",
    hybridSemanticRatio: "decimal",
    offset: "count",
    limit: "count",
    page: "count",
    hitsPerPage: "count",
    attributesToRetrieve: "list",
    retrieveVectors: "flag",
    attributesToCrop: "list",
    cropLength: "count",
    attributesToHighlight: "list",
    filter: "filter",
    sort: "sort",
    distinct: "text",
    showMatchesPosition: "flag",
    showRankingScore: "flag",
    showRankingScoreDetails: "flag",
    showPerformanceDetails: "flag",
    facets: "list",
    highlightPreTag: "text",
    highlightPostTag: "text",
    cropMarker: "text",
    matchingStrategy: "text",
    attributesToSearchOn: "list",
    rankingScoreThreshold: "decimal",
    locales: "list",
  } satisfies { [name: string]: Kind }),
);

/** A body for `searchSchema`; its types are right, its values are yet to be validated. */
export function bodyFromSearchParams(params: URLSearchParams): { [name: string]: unknown } {
  const body: { [name: string]: unknown } = {};
  for (const [name, value] of params) {
    const kind = PARAMETERS.get(name);
    if (!kind) {
      const known = Array.from(PARAMETERS.keys(), (known) => `\`${known}\``);
      throw new ApiError("bad_request", `Unknown parameter \`${name}\`: expected one of ${known.join(", ")}`);
    }
    setOwn(body, name, readValue(name, kind, value));
  }
  return withHybrid(body);
}

/** The two parameters are one object in a body. */
function withHybrid(body: { [name: string]: unknown }): { [name: string]: unknown } {
  const { hybridEmbedder: embedder, hybridSemanticRatio: semanticRatio, ...others } = body;
  if (embedder === undefined && semanticRatio === undefined) return others;
  if (embedder === undefined)
    throw new ApiError(
      "invalid_search_embedder",
      "`hybridEmbedder` is mandatory when `hybridSemanticRatio` is present",
    );
  return { ...others, hybrid: { embedder, ...(semanticRatio !== undefined && { semanticRatio }) } };
}

function readValue(name: string, kind: Kind, value: string): unknown {
  switch (kind) {
    case "count":
      if (!/^\d{1,15}$/.test(value)) throw unreadable(name, value, "a positive integer");
      return Number(value);
    case "decimal":
      return readDecimal(value, "search", name);
    case "flag":
      if (value !== "true" && value !== "false") throw unreadable(name, value, "a boolean");
      return value === "true";
    case "numbers":
      return value.split(",").map((item) => {
        if (item.trim() !== "" && Number.isFinite(Number(item))) return Number(item);
        throw unreadable(name, value.slice(0, 100), "an array of numbers");
      });
    case "list":
      return value.split(",").map((item) => item.trim());
    case "sort":
      return splitSort(value).map((item) => item.trim());
    case "filter":
      return readFilter(value);
    default:
      return value;
  }
}

/**
 * `_geoPoint(1,2):asc,price:desc`: a comma belongs to the point if the next parenthesis after it is a closing
 * one.
 */
function splitSort(value: string): string[] {
  const rules: string[] = [];
  let end = value.length;
  let nextParenthesis = "";
  for (let at = value.length - 1; at >= 0; at--) {
    const character = value[at]!;
    if (character === "(" || character === ")") nextParenthesis = character;
    else if (character === "," && nextParenthesis !== ")") {
      rules.push(value.slice(at + 1, end));
      end = at;
    }
  }
  rules.push(value.slice(0, end));
  return rules.toReversed();
}

export function readFilter(value: string): unknown {
  if (!value.trimStart().startsWith("[")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** @throws ApiError */
export function readDecimal(value: string, prefix: string, name: string): number {
  if (value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  throw unreadable(name, value, "a number", prefix);
}

function unreadable(name: string, value: string, expected: string, prefix = "search"): ApiError {
  return new ApiError(
    `invalid_${prefix}_${snakeCase(name)}`,
    `Invalid value in parameter \`${name}\`: could not parse \`${value}\` as ${expected}`,
  );
}
