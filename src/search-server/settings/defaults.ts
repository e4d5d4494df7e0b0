/** The settings of a new index, as the newest Meilisearch has them. Indexes that exist keep theirs. */
import { defaultSettings, type IndexSettings } from "#search/index.ts";

const RANKING_RULES = ["words", "typo", "proximity", "attributeRank", "sort", "wordPosition", "exactness"];

/** The engine's, with what clients of Meilisearch expect; the primary key is chosen by the first documents. */
export function newIndexSettings(): IndexSettings {
  const settings = defaultSettings();
  return {
    ...settings,
    primaryKey: "",
    rankingRules: [...RANKING_RULES],
    typo: { ...settings.typo, disabledOnNumbers: false },
  };
}
