import type { OpenedIndex } from "../open-index.ts";
import { attributeRule } from "../rules/attribute.ts";
import { exactnessRule } from "../rules/exactness.ts";
import { proximityRule } from "../rules/proximity.ts";
import type { Rule } from "../rules/rule.ts";
import { typoRule } from "../rules/typo.ts";
import { rareWordsRule, wordsRule } from "../rules/words.ts";
import { getOwn } from "../own-properties.ts";
import { compileSort } from "../sort/compile-sort.ts";
import type { DocumentOrder, SearchQuery } from "../types.ts";

/** One step of the ranking: a rule over the text, or an order of documents by their values. */
export type RankingStep =
  { kind: "rule"; rule: Rule } | { kind: "blend" } | { kind: "order"; name: string; order: DocumentOrder };

const TEXT_RULES: { [name: string]: Rule } = {
  typo: typoRule,
  proximity: proximityRule,
  attribute: attributeRule,
  // Meilisearch's newer names for the two halves of `attribute`.
  attributeRank: attributeRule,
  wordPosition: attributeRule,
  exactness: exactnessRule,
};

/**
 * The index's ranking rules as steps. Where documents make up sections, the rules over the text are one step, the
 * blend; and since no two sections have the same score there, an asked `sort` comes before it.
 */
export function rankingSteps(index: OpenedIndex, query: SearchQuery): RankingStep[] {
  const { rankingRules, hierarchy } = index.settings;
  const steps: RankingStep[] = [];
  const isSorted = (query.sort?.length ?? 0) > 0;
  const sort = () => ({
    kind: "order" as const,
    name: query.sort!.join(","),
    order: compileSort(index, query.sort!),
  });
  if (isSorted && hierarchy && rankingRules.includes("sort")) steps.push(sort());
  for (const name of rankingRules) {
    if (/:(?:asc|desc)$/.test(name)) {
      steps.push({ kind: "order", name, order: compileSort(index, [name], { isRankingRule: true }) });
    } else if (name === "sort") {
      if (isSorted && !hierarchy) steps.push(sort());
    } else if (hierarchy) {
      if (!steps.some(({ kind }) => kind === "blend")) steps.push({ kind: "blend" });
    } else if (name === "words") {
      steps.push({ kind: "rule", rule: query.matching === "frequency" ? rareWordsRule : wordsRule });
    } else {
      const rule = getOwn(TEXT_RULES, name);
      if (rule) steps.push({ kind: "rule", rule });
    }
  }
  return steps;
}
