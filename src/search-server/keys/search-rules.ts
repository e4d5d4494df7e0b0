/**
 * How a tenant token narrows a search. `searchRules` is a list of indexes (`["docs_*"]`) or an object with a
 * rule for each (`{ "docs": { "filter": "tenant = 7" }, "*": {} }`). The closest name decides, and its filter
 * is joined to the query's own by AND: both stay separate expressions, so that no quote or OR in one affects
 * the other.
 */
import * as z from "zod";
import { filter } from "../protocol/fields.ts";
import { closestPattern, isIndexPattern } from "./index-patterns.ts";

/** As in a query: text, or nested arrays (outer AND, inner OR). */
export type Filter = z.infer<typeof filter>;

export interface SearchRule {
  filter: Filter;
}

export const EVERYTHING: SearchRule = { filter: null };

export type SearchRules = ReadonlyMap<string, SearchRule>;

const pattern = z.string().refine(isIndexPattern);
/** Strict: a mistyped `filter` must not open the whole index. */
const ruleSchema = z.strictObject({ filter }).partial().nullable();

export const searchRulesSchema = z.union([
  z.array(pattern).transform((patterns): SearchRules => new Map(patterns.map((one) => [one, EVERYTHING]))),
  z
    .record(pattern, ruleSchema)
    .transform(
      (rules): SearchRules =>
        new Map(Object.entries(rules).map(([one, rule]) => [one, { filter: rule?.filter ?? null }])),
    ),
]);

export function ruleFor(rules: SearchRules, uid: string): SearchRule | null {
  const closest = closestPattern(rules.keys(), uid);
  return closest === null ? null : (rules.get(closest) ?? null);
}

/** Requires both filters. */
export function conjoin(rule: Filter, own: Filter): Filter {
  if (rule == null) return own;
  if (own == null) return rule;
  return [...clauses(rule), ...clauses(own)];
}

function clauses(one: NonNullable<Filter>): (string | string[])[] {
  return typeof one === "string" ? [one] : one;
}
