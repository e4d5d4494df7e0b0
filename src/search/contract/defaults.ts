import { DEFAULT_MAX_TOTAL_HITS } from "./limits.ts";
import type { IndexSettings } from "./types.ts";

const DEFAULT_RANKING_RULES = ["words", "typo", "proximity", "attribute", "sort", "exactness"];

export function defaultSettings(): IndexSettings {
  return {
    primaryKey: "objectID",
    searchableAttributes: ["*"],
    displayedAttributes: ["*"],
    filterableAttributes: [],
    sortableAttributes: [],
    rankingRules: [...DEFAULT_RANKING_RULES],
    stopWords: [],
    synonyms: {},
    distinctAttribute: null,
    typo: {
      isEnabled: true,
      oneTypoFrom: 5,
      twoTyposFrom: 9,
      disabledOnWords: [],
      disabledOnAttributes: [],
      disabledOnNumbers: true,
    },
    prefixSearch: "indexingTime",
    separatorTokens: [],
    nonSeparatorTokens: [],
    dictionary: [],
    maxFacetValues: 100,
    facetOrder: {},
    maxTotalHits: DEFAULT_MAX_TOTAL_HITS,
    cutoffMs: null,
    hierarchy: null,
  };
}
