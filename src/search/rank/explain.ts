import type { OpenedIndex } from "../open-index.ts";
import type { RuleMatch } from "../rules/rule.ts";
import type { ScoreDetail } from "../types.ts";
import { explainBlend } from "./blend.ts";
import type { RankingStep } from "./order-rules.ts";

/** Step by step, why a hit stands where it stands. Hits that were not read have only their orders to tell. */
export function explainMatch(
  index: OpenedIndex,
  document: number,
  match: RuleMatch | null,
  steps: readonly RankingStep[],
): { [rule: string]: ScoreDetail } {
  const details: { [rule: string]: ScoreDetail } = {};
  for (const step of steps) {
    const order = Object.keys(details).length;
    if (step.kind === "order") {
      const value = firstValue(index, document, step.name.replace(/:(?:asc|desc)$/, ""));
      details[step.name] = { order, score: 1, value };
    } else if (match && step.kind === "rule") {
      details[step.rule.name] = { order, score: step.rule.score(match), ...step.rule.details?.(match) };
    } else if (match) {
      for (const [name, detail] of Object.entries(explainBlend(match))) {
        details[name] = { ...detail, order: order + detail.order };
      }
    }
  }
  return details;
}

function firstValue(index: OpenedIndex, document: number, attribute: string) {
  const column = index.column(attribute);
  const ref =
    column && column.starts[document]! < column.starts[document + 1]!
      ? column.refs[column.starts[document]!]
      : undefined;
  return ref === undefined ? null : column!.values[ref]!;
}
