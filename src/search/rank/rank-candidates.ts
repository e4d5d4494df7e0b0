/**
 * Candidates of the first stage → the order of the hits.
 *
 *   all candidates     by the steps that need no reading (sort, custom rules, words), then by first score
 *   the best of them   read and ordered by all steps
 *
 * How many are read does not depend on the page that was asked for: so the order is one and the same for all pages,
 * and no hit is lost or comes twice.
 */
import { RERANKED, RERANKED_BY_RULES } from "../limits.ts";
import type { OpenedIndex } from "../open-index.ts";
import type { Candidates } from "../query/retrieve.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { TermMarks } from "../query/term-marks.ts";
import { countBits } from "../rules/coverage.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { type Work, WorkOf } from "../work.ts";
import { blendScore, roughBlendScore } from "./blend.ts";
import type { RankingStep } from "./order-rules.ts";
import { selectBest, selectHighest } from "./select.ts";

/** Candidates that passed all conditions, by position in the arrays of `Candidates`. */
export interface Admitted {
  candidates: Candidates;
  positions: Uint32Array;
  /** How many there are; more than positions where only the best were looked for. */
  total: number;
  /** The first document of a candidate that passes the filter, by position. */
  documentOf: (position: number) => number;
}

export interface Ranked {
  /** Index in `positions`. */
  at: number;
  /** Null beyond the candidates that were read. */
  match: RuleMatch | null;
  score: number;
}

export interface RankOptions {
  steps: readonly RankingStep[];
  /** How many to return at least, if there are so many. */
  count: number;
  marks: TermMarks;
  work: Work;
  isLate: () => boolean;
}

/** Words of a unit, the joined forms among them. */
export function wordsOf({ blockStarts, unitBlocks }: OpenedIndex, unit: number): number {
  return blockStarts[unitBlocks[unit + 1]!]! - blockStarts[unitBlocks[unit]!]!;
}

export function rankCandidates(index: OpenedIndex, admitted: Admitted, options: RankOptions): Ranked[] {
  const { steps, isLate, marks, work } = options;
  const { candidates, positions } = admitted;
  const depth = index.settings.hierarchy ? RERANKED : RERANKED_BY_RULES;
  const best = selectRough(admitted, steps, Math.max(depth, options.count));
  const whole = candidates.rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const ranked: Ranked[] = [];
  best.slice(0, depth).forEach((at, number) => {
    const firstScore = candidates.scores[positions[at]!]! / whole;
    if (number % 16 === 15 && isLate())
      ranked.push({ at, match: null, score: roughScore(firstScore, steps) });
    else {
      work.add(wordsOf(index, candidates.units[positions[at]!]!) * WorkOf.word);
      ranked.push(readCandidate(index, admitted, at, firstScore, marks, steps));
    }
  });
  const places = new Map(best.map((at, place) => [at, place]));
  const compare = fullOrder(admitted, steps);
  ranked.sort((a, b) => compare(a, b) || places.get(a.at)! - places.get(b.at)!);
  for (const at of best.slice(depth)) {
    const firstScore = candidates.scores[positions[at]!]! / whole;
    ranked.push({ at, match: null, score: roughScore(firstScore, steps) });
  }
  return ranked;
}

function readCandidate(
  index: OpenedIndex,
  { candidates, positions }: Admitted,
  at: number,
  firstScore: number,
  marks: TermMarks,
  steps: readonly RankingStep[],
): Ranked {
  const position = positions[at]!;
  const match: RuleMatch = {
    blocks: scanUnit(index, candidates.units[position]!, marks, candidates.limits),
    mask: candidates.masks[position]!,
    rarities: candidates.rarities,
    stopWords: candidates.stopWords,
    firstScore,
    isIdentifier: isIdentifier(candidates),
    unitCount: index.unitCount,
    attributeCount: index.attributes.length,
  };
  return { at, match, score: fullScore(match, steps) };
}

function isIdentifier({ spans, words }: Candidates): boolean {
  return spans.some(
    (span) => span.isIdentifier && span.isCode && span.from === 0 && span.to === words.length,
  );
}

/** Before reading: the leading steps that need none, then the first stage's score, then the order of the documents. */
function selectRough(admitted: Admitted, steps: readonly RankingStep[], count: number): number[] {
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

function leadingOrders({ candidates, positions, documentOf }: Admitted, steps: readonly RankingStep[]) {
  const compares: ((a: number, b: number) => number)[] = [];
  for (const step of steps) {
    if (step.kind === "order")
      compares.push((a, b) => step.order.compare(documentOf(positions[a]!), documentOf(positions[b]!)));
    else if (step.kind === "rule" && step.rule.name === "words") {
      const countOf = (at: number) => countBits(candidates.masks[positions[at]!]!);
      compares.push((a, b) => countOf(b) - countOf(a));
    } else break;
  }
  return compares;
}

/** One step after the other; scores that differ by rounding are equal. */
function fullOrder({ positions, documentOf }: Admitted, steps: readonly RankingStep[]) {
  return (a: Ranked, b: Ranked): number => {
    for (const step of steps) {
      const order =
        step.kind === "order"
          ? step.order.compare(documentOf(positions[a.at]!), documentOf(positions[b.at]!))
          : Math.round((stepScore(step, b) - stepScore(step, a)) * 1e6);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function stepScore(step: Exclude<RankingStep, { kind: "order" }>, ranked: Ranked): number {
  if (step.kind === "blend") return ranked.score;
  return ranked.match ? step.rule.score(ranked.match) : 0;
}

function fullScore(match: RuleMatch, steps: readonly RankingStep[]): number {
  if (steps.some(({ kind }) => kind === "blend")) return blendScore(match);
  // As the rules decide one after the other, each weighs a tenth of the one before it.
  let score = 0;
  let whole = 0;
  let weight = 1;
  for (const step of steps) {
    if (step.kind !== "rule") continue;
    score += weight * step.rule.score(match);
    whole += weight;
    weight /= 10;
  }
  return whole === 0 ? 1 : score / whole;
}

function roughScore(firstScore: number, steps: readonly RankingStep[]): number {
  return steps.some(({ kind }) => kind === "blend")
    ? roughBlendScore(firstScore)
    : Math.min(1, firstScore) / 10;
}
