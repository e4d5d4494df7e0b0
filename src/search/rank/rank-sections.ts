/** Sections of documentation: one sum of rules (blend.ts), over the best units of the first stage. */
import { RERANKED } from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { countWords } from "../query/count-words.ts";
import { findIn } from "../query/lower-bound.ts";
import type { Candidates } from "../query/retrieve.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { WorkOf } from "../contract/work.ts";
import { addMeaning } from "./add-meaning.ts";
import { blendScore, roughBlendScore } from "./blend.ts";
import type { Admitted } from "./admit.ts";
import { addPageSupport } from "./page-support.ts";
import type { RankingStep } from "./order-rules.ts";
import type { Ranked, RankOptions } from "./ranked.ts";
import { selectRough } from "./rough-order.ts";

export function rankSections(index: OpenedIndex, admitted: Admitted, options: RankOptions): Ranked[] {
  const { steps, isLate, near } = options;
  const { candidates, positions } = admitted;
  const rough = selectRough(admitted, steps, Math.max(RERANKED, options.count));
  const { best, readCount } = withNearFirst(admitted, rough, near?.units ?? []);
  const whole = candidates.rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const hasBlend = steps.some(({ kind }) => kind === "blend");
  const read = createReader(index, candidates, options);
  const ranked = best.map((at, number): Ranked => {
    const position = positions[at]!;
    const firstScore = candidates.scores[position]! / whole;
    const isRead = number < readCount && !(number % 16 === 15 && isLate());
    const match = isRead ? read(position, firstScore) : null;
    if (!hasBlend) return { at, match, score: 1 };
    return { at, match, score: match ? blendScore(match) : roughBlendScore(firstScore) };
  });
  if (hasBlend && near) addMeaning(admitted, ranked, near);
  if (hasBlend) addPageSupport(index, admitted, ranked);
  const places = new Map(best.map((at, place) => [at, place]));
  const compare = fullOrder(admitted, steps);
  const reranked = ranked.slice(0, readCount);
  reranked.sort((a, b) => compare(a, b) || places.get(a.at)! - places.get(b.at)!);
  return [...reranked, ...ranked.slice(readCount)];
}

/** The near sections are read as well, wherever the first stage has put them. */
function withNearFirst(
  { candidates, positions }: Admitted,
  rough: readonly number[],
  near: readonly number[],
) {
  const first = rough.slice(0, RERANKED);
  const isFirst = new Set(first);
  const added = near
    .map((unit) => findIn(positions, findIn(candidates.units, unit)))
    .filter((at) => at >= 0 && !isFirst.has(at))
    .sort((a, b) => a - b);
  const isAdded = new Set(added);
  const others = rough.slice(RERANKED).filter((at) => !isAdded.has(at));
  return { best: [...first, ...added, ...others], readCount: first.length + added.length };
}

/** Reads a candidate's section and collects the data for the rules. */
function createReader(index: OpenedIndex, candidates: Candidates, { marks, work }: RankOptions) {
  const { rarities, stopWords, limits } = candidates;
  const { unitCount } = index;
  const isOne = isIdentifier(candidates);
  return (position: number, firstScore: number): RuleMatch => {
    const unit = candidates.units[position]!;
    work.add(countWords(index, unit) * WorkOf.word);
    const blocks = scanUnit(index, unit, marks, limits);
    const mask = candidates.masks[position]!;
    return { blocks, mask, rarities, stopWords, firstScore, isIdentifier: isOne, unitCount, support: 0 };
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
