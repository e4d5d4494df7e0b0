import type { RuleMatch } from "../rules/rule.ts";
import { SKIPPED } from "../rules/ranked/rank.ts";
import type { ScoreDetail } from "../contract/types.ts";
import { explainBlend } from "./blend.ts";
import type { RankingStep } from "./order-rules.ts";
import type { StepRanks } from "./rank-document.ts";

/** The facts about a hit's rank. */
export interface Explained {
  document: number;
  /** For a section; null where documents stand alone, and where it was not read. */
  match: RuleMatch | null;
  /** For a document that stands alone. */
  ranks: StepRanks | null;
}

/** Explains a hit's rank step by step. For hits that were not read only the orders are known. */
export function explainHit(
  steps: readonly RankingStep[],
  { document, match, ranks }: Explained,
): { [rule: string]: ScoreDetail } {
  const details: { [rule: string]: ScoreDetail } = {};
  for (const [at, step] of steps.entries()) {
    const order = Object.keys(details).length;
    if (step.kind === "order") {
      details[step.name] = { order, ...step.order.explain(document) };
    } else if (step.kind === "rule") {
      const own = ranks?.[at];
      if (!own) continue;
      if (own[0] === SKIPPED) {
        details["skipped"] = { order };
        break;
      }
      details[step.rule.name] = { order, ...step.rule.details(own) };
    } else if (match) {
      for (const [name, detail] of Object.entries(explainBlend(match))) {
        details[name] = { ...detail, order: order + detail.order };
      }
    }
  }
  return details;
}
