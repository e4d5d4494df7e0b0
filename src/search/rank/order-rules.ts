import type { OpenedIndex } from "../reader/open-index.ts";
import { attributeRankRule, attributeRule, wordPositionRule } from "../rules/ranked/attribute.ts";
import { exactnessRule } from "../rules/ranked/exactness.ts";
import { proximityRule } from "../rules/ranked/proximity.ts";
import type { RankedRule } from "../rules/ranked/ranked-rule.ts";
import { typoRule } from "../rules/ranked/typo.ts";
import { wordsRule } from "../rules/ranked/words.ts";
import { getOwn } from "../contract/own-properties.ts";
import { compileSort } from "../sort/compile-sort.ts";
import type { DocumentOrder, SearchQuery } from "../contract/types.ts";

/** One step of the ranking: a rule over the text, or an order of documents by their values. */
export type RankingStep =
  | { kind: "rule"; rule: RankedRule }
  | { kind: "blend" }
  | { kind: "order"; name: string; order: DocumentOrder };

const TEXT_RULES: { [name: string]: RankedRule } = {
  words: wordsRule,
  typo: typoRule,
  proximity: proximityRule,
  attribute: attributeRule,
  attributeRank: attributeRankRule,
  wordPosition: wordPositionRule,
  exactness: exactnessRule,
};

/**
 * The index's ranking rules as steps. Where documents make up sections, the rules over the text are one step, the
 * blend; and since no two sections have the same score there, a requested `sort` comes before it.
 */
export function rankingSteps(index: OpenedIndex, query: SearchQuery): RankingStep[] {
  const { rankingRules, hierarchy } = index.settings;
  const sort = (query.sort ?? []).map((name) => orderStep(index, name, { isRankingRule: false }));
  const custom = (name: string) => orderStep(index, name, { isRankingRule: true });
  if (hierarchy) {
    const steps: RankingStep[] = rankingRules.includes("sort") ? [...sort] : [];
    for (const name of rankingRules) {
      if (isCustom(name)) steps.push(custom(name));
      else if (name !== "sort" && !steps.some(({ kind }) => kind === "blend")) steps.push({ kind: "blend" });
    }
    return steps;
  }
  return rulesInOrder(rankingRules, query.matching).flatMap((name): RankingStep[] => {
    if (isCustom(name)) return [custom(name)];
    if (name === "sort") return sort;
    const rule = getOwn(TEXT_RULES, name);
    return rule ? [{ kind: "rule", rule }] : [];
  });
}

/**
 * Words are given up before any other rule over the text is applied, whatever the settings say; where none may be
 * missing the rule decides nothing.
 */
function rulesInOrder(names: readonly string[], matching: SearchQuery["matching"]): readonly string[] {
  if (matching === "all") return names.filter((name) => name !== "words");
  const first = names.findIndex((name) => Object.hasOwn(TEXT_RULES, name));
  if (first < 0 || names[first] === "words") return names;
  const others = names.filter((name) => name !== "words");
  return [...others.slice(0, first), "words", ...others.slice(first)];
}

function isCustom(name: string): boolean {
  return /:(?:asc|desc)$/.test(name);
}

function orderStep(index: OpenedIndex, name: string, options: { isRankingRule: boolean }) {
  return { kind: "order" as const, name: name.trim(), order: compileSort(index, [name], options) };
}
