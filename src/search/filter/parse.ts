/**
 * Filter expressions, Meilisearch's grammar, by recursive descent.
 *
 *   or         = and ("OR" and)*
 *   and        = not ("AND" not)*
 *   not        = "NOT" not | primary
 *   primary    = "(" or ")" | geo | value condition
 *   condition  = ("=" | "!=" | ">" | ">=" | "<" | "<=") value | value "TO" value | "NOT"? "IN" "[" values "]"
 *              | "NOT"? "EXISTS" | "IS" "NOT"? ("NULL" | "EMPTY") | "NOT"? ("CONTAINS" | "STARTS" "WITH") value
 *   value      = word | 'single quoted' | "double quoted"
 *
 * `genre = "A \"B\"" AND NOT (year < 1990 OR tag IN [x, y])` becomes
 * and[ compare(=), not(or[ compare(<), in ]) ]. Nested arrays are joined: the outer one by AND, the inner by OR.
 */
import type { FilterNode, Token } from "./ast.ts";
import { expectedOperation, expectedValue, filterError, reservedGeo } from "./errors.ts";
import { type SearchQuery, SearchError } from "../contract/types.ts";
import { parseGeo } from "./parse-geo.ts";
import { Scanner } from "./scanner.ts";

/** Nesting of parentheses and NOT. Deeper expressions are refused, so that they cannot overflow the stack. */
const MAX_FILTER_DEPTH = 200;
/** Conditions in one filter, arrays included. */
const MAX_FILTER_CONDITIONS = 2000;

const COMPARISONS = ["!=", ">=", "<=", "=", ">", "<"] as const;

/**
 * The syntax tree of a filter; null where there is nothing to filter by (empty text, empty arrays).
 * Throws `SearchError` with code `invalid_search_filter`.
 */
export function parseFilter(filter: SearchQuery["filter"]): FilterNode | null {
  if (filter === undefined) return null;
  const budget = { conditions: 0 };
  if (typeof filter === "string") return parseExpression(filter, budget);
  const outer: FilterNode[] = [];
  for (const entry of filter) {
    const texts = typeof entry === "string" ? [entry] : entry;
    const inner = texts.map((text) => parseExpression(text, budget)).filter((node) => node !== null);
    const joined = join("or", inner);
    if (joined) outer.push(joined);
  }
  return join("and", outer);
}

function join(kind: "and" | "or", nodes: FilterNode[]): FilterNode | null {
  if (nodes.length < 2) return nodes[0] ?? null;
  return { kind, nodes };
}

function parseExpression(source: string, budget: { conditions: number }): FilterNode | null {
  if (source.trim() === "") return null;
  const scanner = new Scanner(source);
  const node = parseOr(scanner, 0);
  scanner.skipSpace();
  if (!scanner.isAtEnd()) {
    const rest = scanner.rest();
    throw filterError(
      `Found unexpected characters at the end of the filter: \`${rest.text}\`. ` +
        "You probably forgot an `OR` or an `AND` rule.",
      rest,
    );
  }
  budget.conditions += scanner.conditions;
  if (budget.conditions > MAX_FILTER_CONDITIONS) {
    throw new SearchError(
      "invalid_search_filter",
      `Too many filter conditions, can't process more than ${MAX_FILTER_CONDITIONS} filters.`,
    );
  }
  return node;
}

function parseOr(scanner: Scanner, depth: number): FilterNode {
  if (depth > MAX_FILTER_DEPTH) {
    throw filterError(
      `The filter exceeded the maximum depth of ${MAX_FILTER_DEPTH}. Try rewriting it with fewer nested conditions.`,
      scanner.rest(),
    );
  }
  return parseChain(scanner, "or", () =>
    parseChain(scanner, "and", () => {
      return parseNot(scanner, depth);
    }),
  );
}

function parseChain(scanner: Scanner, kind: "and" | "or", parseNext: () => FilterNode): FilterNode {
  const nodes = [parseNext()];
  while (scanner.takeKeyword(kind.toUpperCase())) nodes.push(parseNext());
  return nodes.length === 1 ? nodes[0]! : { kind, nodes };
}

function parseNot(scanner: Scanner, depth: number): FilterNode {
  let isNegated = false;
  // A loop instead of recursion, so that a hostile "NOT NOT NOT …" uses no stack.
  while (scanner.takeKeyword("NOT")) isNegated = !isNegated;
  const node = parsePrimary(scanner, depth);
  return isNegated ? { kind: "not", node } : node;
}

function parsePrimary(scanner: Scanner, depth: number): FilterNode {
  scanner.skipSpace();
  const opening = scanner.position;
  if (scanner.take("(")) {
    const node = parseOr(scanner, depth + 1);
    if (scanner.take(")")) return node;
    const open = scanner.token(opening, scanner.source.length);
    throw filterError(`Expression \`${open.text}\` is missing the following closing delimiter: \`)\`.`, open);
  }
  scanner.conditions++;
  return parseGeo(scanner) ?? parseCondition(scanner);
}

function parseCondition(scanner: Scanner): FilterNode {
  const whole = scanner.rest();
  if (whole.text === "") throw expectedOperation(whole);
  const attribute = scanner.value();
  if (["_geo", "_geoDistance", "_geoPoint", "_geoRadius", "_geoBoundingBox"].includes(attribute.text)) {
    throw reservedGeo(attribute);
  }
  for (const operator of COMPARISONS) {
    if (scanner.take(operator)) return { kind: "compare", operator, attribute, value: scanner.value() };
  }
  if (scanner.takeKeyword("IS")) {
    const isNegated = scanner.takeKeyword("NOT");
    if (scanner.takeKeyword("NULL")) return negate(isNegated, { kind: "isNull", attribute });
    if (scanner.takeKeyword("EMPTY")) return negate(isNegated, { kind: "isEmpty", attribute });
    throw expectedOperation(whole);
  }
  const isNegated = scanner.takeKeyword("NOT");
  const condition = parseWordCondition(scanner, attribute);
  if (condition) return negate(isNegated, condition);
  if (!isNegated && !scanner.isAtEnd()) {
    const between = parseBetween(scanner, attribute);
    if (between) return between;
  }
  throw expectedOperation(whole);
}

function negate(isNegated: boolean, node: FilterNode): FilterNode {
  return isNegated ? { kind: "not", node } : node;
}

function parseWordCondition(scanner: Scanner, attribute: Token): FilterNode | null {
  if (scanner.takeKeyword("EXISTS")) return { kind: "exists", attribute };
  if (scanner.takeKeyword("IN")) return { kind: "in", attribute, values: parseValueList(scanner) };
  if (scanner.takeKeyword("CONTAINS")) return { kind: "contains", attribute, value: scanner.value() };
  if (scanner.takeKeyword("STARTS")) {
    if (!scanner.takeKeyword("WITH")) throw expectedValue(scanner.rest(), false);
    return { kind: "startsWith", attribute, value: scanner.value() };
  }
  return null;
}

/** `attribute 10 TO 20`; null (and nothing consumed) if no `TO` follows the first value. */
function parseBetween(scanner: Scanner, attribute: Token): FilterNode | null {
  const start = scanner.position;
  if (!scanner.isAtValue()) return null;
  const from = scanner.value();
  if (scanner.takeKeyword("TO")) return { kind: "between", attribute, from, to: scanner.value() };
  scanner.position = start;
  return null;
}

function parseValueList(scanner: Scanner): Token[] {
  if (!scanner.take("[")) throw filterError("Expected `[` after `IN` keyword.", scanner.rest());
  const values: Token[] = [];
  while (!scanner.take("]")) {
    if (scanner.isAtEnd()) {
      throw filterError("Expected matching `]` after the list of field names given to `IN[`", scanner.rest());
    }
    if (!scanner.isAtValue()) {
      const rest = scanner.rest();
      throw filterError(
        `Expected only comma-separated field names inside \`IN[..]\` but instead found \`${rest.text}\`.`,
        rest,
      );
    }
    values.push(scanner.value());
    if (scanner.take(",")) continue;
    if (scanner.take("]")) break;
    const rest = scanner.rest();
    const message =
      rest.text === ""
        ? "Expected matching `]` after the list of field names given to `IN[`"
        : `Expected only comma-separated field names inside \`IN[..]\` but instead found \`${rest.text}\`.`;
    throw filterError(message, rest);
  }
  return values;
}
