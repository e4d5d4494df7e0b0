/** Sections of documentation: one sum of rules (blend.ts), over the best units of the first stage. */
import { RERANKED } from "../contract/limits.ts";
import type { Near } from "../contract/meaning.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { countWords } from "../query/count-words.ts";
import { findIn } from "../query/lower-bound.ts";
import type { Candidates } from "../query/retrieve.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { WorkOf } from "../contract/work.ts";
import { addMeaning, meaningPart } from "./add-meaning.ts";
import { blendScore, roughBlendScore } from "./blend.ts";
import type { Admitted } from "./admit.ts";
import { addPageSupport } from "./page-support.ts";
import type { RankingStep } from "./order-rules.ts";
import type { AskMeaning, Ranked, RankedAdmitted, RankOptions } from "./ranked.ts";
import { selectRough } from "./rough-order.ts";

export function rankSections(index: OpenedIndex, found: Admitted, options: RankOptions): RankedAdmitted {
  const { steps, meaning } = options;
  const hasBlend = steps.some(({ kind }) => kind === "blend");
  const rough = selectRough(found, steps, Math.max(RERANKED, options.count));
  const rank = createRanker(index, found.candidates, options, hasBlend);
  const reranked = rough.slice(0, RERANKED).map((at, number) => rank(found, at, number));
  let admitted = found;
  const part = hasBlend && meaning ? meaningPart(reranked) : 0;
  const near = part > 0 ? meaning!.read() : null;
  if (near) {
    admitted = meaning!.admit(near.units);
    for (const at of nearPositions(admitted, found, near.units, reranked))
      reranked.push(rank(admitted, at, reranked.length));
    addMeaning(admitted, reranked, { near, part });
  }
  if (hasBlend) addPageSupport(index, admitted, reranked);
  if (near && isAboutOtherThings(reranked, meaning!, near)) return nothing(admitted);
  const isReranked = new Set(reranked.map(({ at }) => at));
  const others = rough.slice(RERANKED).filter((at) => !isReranked.has(at));
  const places = new Map(reranked.map(({ at }, place) => [at, place]));
  const compare = fullOrder(admitted, steps);
  reranked.sort((a, b) => compare(a, b) || places.get(a.at)! - places.get(b.at)!);
  return { admitted, ranked: [...reranked, ...others.map((at) => rank(admitted, at, null))] };
}

/** Not where a condition leaves out sections: the best of those that remain may be a poor one. */
function isAboutOtherThings(
  ranked: readonly Ranked[],
  { seesAll }: AskMeaning,
  { leastScore }: Near,
): boolean {
  return seesAll && ranked.every(({ score }) => score < leastScore);
}

const nothing = (admitted: Admitted): RankedAdmitted => ({
  admitted: { ...admitted, positions: new Uint32Array(), total: 0 },
  ranked: [],
});

/** The near sections that are to be read as well, wherever the first stage has put them. */
function nearPositions(
  admitted: Admitted,
  found: Admitted,
  near: readonly number[],
  reranked: readonly Ranked[],
): number[] {
  const isRead = new Set(reranked.map(({ at }) => at));
  const added = Array.from(
    { length: admitted.positions.length - found.positions.length },
    (_, number) => found.positions.length + number,
  );
  const known = near
    .map((unit) => findIn(found.positions, findIn(found.candidates.units, unit)))
    .filter((at) => at >= 0 && !isRead.has(at));
  return [...known, ...added].sort((a, b) => a - b);
}

/** Reads a candidate's section, collects the data for the rules, and asks them; the late ones keep their rough score. */
function createRanker(
  index: OpenedIndex,
  found: Candidates,
  { marks, work, isLate }: RankOptions,
  hasBlend: boolean,
) {
  const { rarities, stopWords, limits } = found;
  const { unitCount } = index;
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const isOne = isIdentifier(found);
  const read = (unit: number, mask: number, firstScore: number): RuleMatch => {
    work.add(countWords(index, unit) * WorkOf.word);
    const blocks = scanUnit(index, unit, marks, limits);
    return { blocks, mask, rarities, stopWords, firstScore, isIdentifier: isOne, unitCount, support: 0 };
  };
  /** @param number how many were read before; null: this one is not read */
  return ({ candidates, positions }: Admitted, at: number, number: number | null): Ranked => {
    const position = positions[at]!;
    const firstScore = candidates.scores[position]! / whole;
    const isRead = number !== null && !(number % 16 === 15 && isLate());
    const match = isRead ? read(candidates.units[position]!, candidates.masks[position]!, firstScore) : null;
    if (!hasBlend) return { at, match, score: 1 };
    return { at, match, score: match ? blendScore(match) : roughBlendScore(firstScore) };
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
