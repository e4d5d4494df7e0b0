/** Settings as Meilisearch's JSON ↔ the engine's `IndexSettings`. */
import { type IndexSettings, setOwn } from "#search/index.ts";
import { newIndexSettings } from "./defaults.ts";
import { applyEmbedders, type Embedders } from "./embedders.ts";
import { type FilterableAttribute, toFilterable } from "./filterable.ts";
import type { SettingName, SettingsBody } from "./schema.ts";

/** The protocol's settings that the engine does not use; kept so that clients read back what they wrote. */
export interface ProtocolSettings {
  proximityPrecision?: "byWord" | "byAttribute";
  facetSearch?: boolean;
  localizedAttributes?: { attributePatterns: string[]; locales: string[] }[];
  /** As they were written, if some are patterns with features; the engine has the names. */
  filterableAttributes?: FilterableAttribute[];
  /** Attributes with ids of another index, whose documents take the ids' place in hits. */
  foreignKeys?: ForeignKey[];
  embedders?: Embedders;
  /** Counted by the build. */
  embedded?: { documents: number; embeddings: number };
}

export interface ForeignKey {
  foreignIndexUid: string;
  fieldName: string;
}

export type SettingsJson = { [Name in SettingName]?: unknown };

export function toSettingsJson(settings: IndexSettings, protocol: ProtocolSettings): SettingsJson {
  return {
    displayedAttributes: settings.displayedAttributes,
    searchableAttributes: settings.searchableAttributes,
    filterableAttributes: protocol.filterableAttributes ?? settings.filterableAttributes,
    sortableAttributes: settings.sortableAttributes,
    rankingRules: settings.rankingRules,
    stopWords: settings.stopWords,
    nonSeparatorTokens: settings.nonSeparatorTokens,
    separatorTokens: settings.separatorTokens,
    dictionary: settings.dictionary,
    synonyms: settings.synonyms,
    distinctAttribute: settings.distinctAttribute,
    proximityPrecision: protocol.proximityPrecision ?? "byWord",
    typoTolerance: {
      enabled: settings.typo.isEnabled,
      minWordSizeForTypos: { oneTypo: settings.typo.oneTypoFrom, twoTypos: settings.typo.twoTyposFrom },
      disableOnWords: settings.typo.disabledOnWords,
      disableOnAttributes: settings.typo.disabledOnAttributes,
      disableOnNumbers: settings.typo.disabledOnNumbers,
    },
    faceting: {
      maxValuesPerFacet: settings.maxFacetValues,
      sortFacetValuesBy: { "*": "alpha", ...settings.facetOrder },
    },
    pagination: { maxTotalHits: settings.maxTotalHits },
    embedders: protocol.embedders ?? {},
    searchCutoffMs: settings.cutoffMs,
    localizedAttributes: protocol.localizedAttributes ?? null,
    facetSearch: protocol.facetSearch ?? true,
    prefixSearch: settings.prefixSearch,
    ...(protocol.foreignKeys && { foreignKeys: protocol.foreignKeys }),
    ...(settings.hierarchy && { hierarchy: settings.hierarchy }),
  };
}

/** undefined = keep, null = default. */
function pick<T>(value: T | null | undefined, kept: T, initial: T): T {
  return value === undefined ? kept : (value ?? initial);
}

/** A copy of the settings with the body's changes. */
export function applySettings(settings: IndexSettings, body: SettingsBody): IndexSettings {
  const defaults = newIndexSettings();
  const next = structuredClone(settings);
  for (const name of LISTS) next[name] = pick(body[name], next[name], defaults[name]);
  const filterable = body.filterableAttributes?.flatMap((entry) =>
    typeof entry === "string" ? [entry] : entry.attributePatterns,
  );
  const isReset = body.filterableAttributes === null;
  next.filterableAttributes = pick(isReset ? null : filterable, next.filterableAttributes, []);
  next.synonyms = pick(body.synonyms, next.synonyms, {});
  next.distinctAttribute = pick(body.distinctAttribute, next.distinctAttribute, null);
  next.cutoffMs = pick(body.searchCutoffMs, next.cutoffMs, null);
  next.prefixSearch = pick(body.prefixSearch, next.prefixSearch, defaults.prefixSearch);
  next.hierarchy = pick(body.hierarchy, next.hierarchy, null);
  if (body.pagination === null) next.maxTotalHits = defaults.maxTotalHits;
  else next.maxTotalHits = pick(body.pagination?.maxTotalHits, next.maxTotalHits, defaults.maxTotalHits);
  applyFaceting(next, body.faceting, defaults);
  applyTypo(next, body.typoTolerance, defaults);
  return next;
}

const LISTS = [
  "displayedAttributes",
  "searchableAttributes",
  "sortableAttributes",
  "rankingRules",
  "stopWords",
  "nonSeparatorTokens",
  "separatorTokens",
  "dictionary",
] as const;

function applyFaceting(next: IndexSettings, body: SettingsBody["faceting"], defaults: IndexSettings): void {
  if (body === undefined) return;
  const maximum = body === null ? null : body.maxValuesPerFacet;
  if (maximum !== undefined) next.maxFacetValues = maximum ?? defaults.maxFacetValues;
  const orders = body === null ? null : body.sortFacetValuesBy;
  if (orders === undefined) return;
  if (orders === null) next.facetOrder = { ...defaults.facetOrder };
  for (const [attribute, order] of Object.entries(orders ?? {})) {
    if (order) setOwn(next.facetOrder, attribute, order);
    else delete next.facetOrder[attribute];
  }
}

function applyTypo(next: IndexSettings, body: SettingsBody["typoTolerance"], defaults: IndexSettings): void {
  if (body === undefined) return;
  if (body === null) {
    next.typo = defaults.typo;
    return;
  }
  const { typo } = next;
  const sizes =
    body.minWordSizeForTypos === null ? { oneTypo: null, twoTypos: null } : body.minWordSizeForTypos;
  const initial = defaults.typo;
  if (body.enabled !== undefined) typo.isEnabled = body.enabled ?? initial.isEnabled;
  if (sizes?.oneTypo !== undefined) typo.oneTypoFrom = sizes.oneTypo ?? initial.oneTypoFrom;
  if (sizes?.twoTypos !== undefined) typo.twoTyposFrom = sizes.twoTypos ?? initial.twoTyposFrom;
  if (body.disableOnWords !== undefined) typo.disabledOnWords = body.disableOnWords ?? [];
  if (body.disableOnAttributes !== undefined) typo.disabledOnAttributes = body.disableOnAttributes ?? [];
  if (body.disableOnNumbers !== undefined) {
    typo.disabledOnNumbers = body.disableOnNumbers ?? initial.disabledOnNumbers;
  }
}

/** @throws EmbedderError */
export function applyProtocolSettings(kept: ProtocolSettings, body: SettingsBody): ProtocolSettings {
  const next = { ...kept };
  if (body.proximityPrecision !== undefined) next.proximityPrecision = body.proximityPrecision ?? "byWord";
  if (body.filterableAttributes !== undefined) {
    delete next.filterableAttributes;
    const written = toFilterable(body.filterableAttributes);
    if (written) next.filterableAttributes = written;
  }
  if (body.foreignKeys === null || body.foreignKeys?.length === 0) delete next.foreignKeys;
  else if (body.foreignKeys) next.foreignKeys = body.foreignKeys;
  if (body.embedders !== undefined) next.embedders = applyEmbedders(kept.embedders ?? {}, body.embedders);
  if (body.facetSearch !== undefined) next.facetSearch = body.facetSearch ?? true;
  if (body.localizedAttributes === null) delete next.localizedAttributes;
  else if (body.localizedAttributes) next.localizedAttributes = body.localizedAttributes;
  return next;
}
