import { countBits } from "../rules/coverage.ts";
import type { RankingStep } from "./order-rules.ts";
import type { Admitted } from "./admit.ts";
import { selectBest, selectHighest } from "../contract/select.ts";

/**
 * The best `count` candidates before any is read: by the leading steps that need no reading, then by the first stage's
 * score, then as the documents came.
 */
export function selectRough(admitted: Admitted, steps: readonly RankingStep[], count: number): number[] {
  const { candidates, positions } = admitted;
  const compares = leadingOrders(admitted, steps);
  const isWhole = positions.length === candidates.scores.length;
  const scores = isWhole ? candidates.scores : Float32Array.from(positions, (at) => candidates.scores[at]!);
  // Units ascend with their positions, so of equal scores the first document's comes first.
  if (compares.length === 0) return selectHighest(scores, positions.length, count);
  return selectBest(positions.length, count, (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order < 0;
    }
    return scores[a]! > scores[b]! || (scores[a] === scores[b] && a < b);
  });
}

function leadingOrders({ positions, documentOf, keptOf }: Admitted, steps: readonly RankingStep[]) {
  const compares: ((a: number, b: number) => number)[] = [];
  for (const step of steps) {
    if (step.kind === "order")
      compares.push((a, b) => step.order.compare(documentOf(positions[a]!), documentOf(positions[b]!)));
    else if (step.kind === "rule" && step.rule.name === "words") {
      const counts = Uint8Array.from(positions, (position) => countBits(keptOf(position)));
      // With one word there is nothing to compare.
      if (counts.some((one) => one !== counts[0])) compares.push((a, b) => counts[b]! - counts[a]!);
    } else break;
  }
  return compares;
}
