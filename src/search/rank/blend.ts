/**
 * Ranking of sections: rules add up instead of deciding one after the other, because none of them is right alone. An
 * exact title outweighs everything; a complete paragraph outweighs scattered words; the rest is BM25F.
 *
 *   score = (1 · weight + 1.3 · title + 0.2 · proximity + 0.45 · complete + 0.5 · definition + 0.86 · page) / 4.31
 *
 * Found by varying one weight at a time on some sites of `bench/`, kept if sites that were not used agreed, and on a
 * plateau: a step either way changes the mean by a few thousandths. The own site's questions (`tests/relevance/`) agreed.
 */
import { definitionRule } from "../rules/definition.ts";
import { completeRule } from "../rules/complete.ts";
import { firstScoreRule } from "../rules/first-score.ts";
import { meaningRule } from "../rules/meaning.ts";
import { proximityRule } from "../rules/proximity.ts";
import type { Rule, RuleMatch } from "../rules/rule.ts";
import { supportRule } from "../rules/support.ts";
import { titleRule } from "../rules/title.ts";
import type { ScoreDetail } from "../contract/types.ts";

/** Known only after the other rules; see page-support.ts. A fifth of the whole. */
const SUPPORT = { rule: supportRule, weight: 0.86 };

/** Beside the whole, because only some searches have it; see add-meaning.ts. */
const MEANING_WEIGHT = 0.4;

const BLEND: readonly { rule: Rule; weight: number }[] = [
  { rule: firstScoreRule, weight: 1 },
  { rule: titleRule, weight: 1.3 },
  { rule: proximityRule, weight: 0.2 },
  { rule: completeRule, weight: 0.45 },
  { rule: definitionRule, weight: 0.5 },
  SUPPORT,
];

const WHOLE = BLEND.reduce((sum, { weight }) => sum + weight, 0);

/** 0 to 1. */
export function blendScore(match: RuleMatch): number {
  let score = 0;
  for (const { rule, weight } of BLEND) score += weight * rule.score(match);
  return score / WHOLE;
}

/** What support adds to the score of a match. */
export function supportScore({ support }: RuleMatch): number {
  return (SUPPORT.weight * support) / WHOLE;
}

/** What the meaning adds to the score of a match. */
export function meaningScore(match: RuleMatch): number {
  return MEANING_WEIGHT * meaningRule.score(match);
}

/** The score of a candidate that only the first stage has seen: a lower bound. */
export function roughBlendScore(firstScore: number): number {
  return (BLEND[0]!.weight * firstScore) / WHOLE;
}

export function explainBlend(match: RuleMatch): { [rule: string]: ScoreDetail } {
  const rows = BLEND.map(({ rule, weight }, order) => {
    const score = rule.score(match);
    return [rule.name, { order, score, weight: weight / WHOLE }] as const;
  });
  if (match.meaning === undefined) return Object.fromEntries(rows);
  const meaning = { order: rows.length, score: match.meaning, weight: MEANING_WEIGHT };
  return { ...Object.fromEntries(rows), [meaningRule.name]: meaning };
}
