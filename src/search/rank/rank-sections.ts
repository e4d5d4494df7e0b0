/** Sections of documentation: one sum of rules (blend.ts), over the best of what the first stage found. */
import { RERANKED } from "../limits.ts";
import type { OpenedIndex } from "../open-index.ts";
import type { Candidates } from "../query/retrieve.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { WorkOf } from "../work.ts";
import { blendScore, roughBlendScore } from "./blend.ts";
import type { RankingStep } from "./order-rules.ts";
import { type Admitted, type Ranked, type RankOptions, wordsOf } from "./rank-candidates.ts";
import { selectRough } from "./rough-order.ts";

export function rankSections(index: OpenedIndex, admitted: Admitted, options: RankOptions): Ranked[] {
  const { steps, isLate } = options;
  const { candidates, positions } = admitted;
  const best = selectRough(admitted, steps, Math.max(RERANKED, options.count));
  const whole = candidates.rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const hasBlend = steps.some(({ kind }) => kind === "blend");
  const ranked = best.map((at, number): Ranked => {
    const firstScore = candidates.scores[positions[at]!]! / whole;
    const isRead = number < RERANKED && !(number % 16 === 15 && isLate());
    const match = isRead ? readSection(index, admitted, at, firstScore, options) : null;
    if (!hasBlend) return { at, match, score: 1 };
    return { at, match, score: match ? blendScore(match) : roughBlendScore(firstScore) };
  });
  const places = new Map(best.map((at, place) => [at, place]));
  const compare = fullOrder(admitted, steps);
  const read = ranked.slice(0, RERANKED);
  read.sort((a, b) => compare(a, b) || places.get(a.at)! - places.get(b.at)!);
  return [...read, ...ranked.slice(RERANKED)];
}

function readSection(
  index: OpenedIndex,
  { candidates, positions }: Admitted,
  at: number,
  firstScore: number,
  { marks, work }: RankOptions,
): RuleMatch {
  const position = positions[at]!;
  const unit = candidates.units[position]!;
  work.add(wordsOf(index, unit) * WorkOf.word);
  return {
    blocks: scanUnit(index, unit, marks, candidates.limits),
    mask: candidates.masks[position]!,
    rarities: candidates.rarities,
    stopWords: candidates.stopWords,
    firstScore,
    isIdentifier: isIdentifier(candidates),
    unitCount: index.unitCount,
  };
}

function isIdentifier({ spans, words }: Candidates): boolean {
  return spans.some(
    (span) => span.isIdentifier && span.isCode && span.from === 0 && span.to === words.length,
  );
}

/** One step after the other; scores that differ by rounding are equal. */
function fullOrder({ positions, documentOf }: Admitted, steps: readonly RankingStep[]) {
  return (a: Ranked, b: Ranked): number => {
    for (const step of steps) {
      const order =
        step.kind === "order"
          ? step.order.compare(documentOf(positions[a.at]!), documentOf(positions[b.at]!))
          : Math.round((b.score - a.score) * 1e6);
      if (order !== 0) return order;
    }
    return 0;
  };
}
