/** The body of `/indexes/:uid/settings`; null resets a setting, an absent one stays. */
import * as z from "zod";
import {
  closedObject,
  count,
  flag,
  list,
  name,
  names,
  nullableNames,
  record,
  text,
} from "../protocol/fields.ts";
import { embedders } from "./embedders.ts";
import { filterableAttributes } from "./filterable.ts";
import { isIndexUid } from "../protocol/index-uid.ts";
import { MAX_FOREIGN_KEYS, MAX_SETTING_ITEMS, MAX_SETTING_RULES } from "../protocol/limits.ts";
import { snakeCase, type ValidationContext } from "../protocol/validate.ts";

/** `attribute` is `attributeRank` and `wordPosition` as one rule. */
const RULES = [
  "words",
  "typo",
  "proximity",
  "attribute",
  "attributeRank",
  "sort",
  "wordPosition",
  "exactness",
];

const rankingRule = text.refine((rule) => RULES.includes(rule) || /^[^:\s][^:]*:(?:asc|desc)$/.test(rule), {
  error: (issue) =>
    `\`${String(issue.input)}\` ranking rule is invalid. Valid ranking rules are words, typo, sort, proximity, ` +
    "attribute, attributeRank, wordPosition, exactness and custom ranking rules.",
});

const typoTolerance = closedObject({
  enabled: flag.nullish(),
  minWordSizeForTypos: closedObject({
    oneTypo: z.int("a positive integer").min(0).max(255).nullish(),
    twoTypos: z.int("a positive integer").min(0).max(255).nullish(),
  }).nullish(),
  disableOnWords: nullableNames,
  disableOnAttributes: nullableNames,
  disableOnNumbers: flag.nullish(),
}).nullish();

export const settingsSchema = closedObject({
  displayedAttributes: nullableNames,
  searchableAttributes: nullableNames,
  filterableAttributes,
  sortableAttributes: nullableNames,
  rankingRules: list(rankingRule, MAX_SETTING_RULES).nullish(),
  stopWords: nullableNames,
  nonSeparatorTokens: nullableNames,
  separatorTokens: nullableNames,
  dictionary: nullableNames,
  synonyms: record(names, MAX_SETTING_ITEMS).nullish(),
  distinctAttribute: text.nullish(),
  proximityPrecision: z.enum(["byWord", "byAttribute"], "a string").nullish(),
  typoTolerance,
  faceting: closedObject({
    maxValuesPerFacet: count.nullish(),
    sortFacetValuesBy: record(z.enum(["alpha", "count"], "a string").nullable(), MAX_SETTING_RULES).nullish(),
  }).nullish(),
  pagination: closedObject({ maxTotalHits: count.nullish() }).nullish(),
  embedders,
  searchCutoffMs: count.nullish(),
  localizedAttributes: list(
    closedObject({ attributePatterns: names, locales: names }),
    MAX_SETTING_RULES,
  ).nullish(),
  facetSearch: flag.nullish(),
  prefixSearch: z.enum(["indexingTime", "disabled"], "a string").nullish(),
  foreignKeys: list(
    closedObject({
      foreignIndexUid: text.refine(isIndexUid, "it is not the name of an index"),
      fieldName: name,
    }),
    MAX_FOREIGN_KEYS,
  ).nullish(),
  /** An addition to the protocol: how records make up pages; see `IndexSettings.hierarchy`. */
  hierarchy: closedObject({ url: text, levels: names, content: text, names: text.optional() }).nullish(),
});

export type SettingsBody = z.infer<typeof settingsSchema>;
export type SettingName = keyof SettingsBody;

export const settingsContext: ValidationContext = {
  codeOf: (path) => {
    const field = typeof path[0] === "string" ? path[0] : "";
    return field ? `invalid_settings_${snakeCase(field)}` : "bad_request";
  },
};

/** `typo-tolerance` → `typoTolerance`; undefined for anything that is not a setting. */
export function settingFromSlug(slug: string): SettingName | undefined {
  const name = slug.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  // The check makes the assertion true.
  return Object.hasOwn(settingsSchema.shape, name) && !/[A-Z]/.test(slug) ? (name as SettingName) : undefined;
}
