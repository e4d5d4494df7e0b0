/**
 * Candidates of the first stage → the order of the hits.
 *
 *   all candidates     by the steps that need no reading (sort, custom rules, words), then by first score
 *   the best of them   read and ordered by all steps
 *
 * Sections are judged by one sum of rules (blend.ts), documents that stand alone by one rule after the other, as
 * Meilisearch does (rank-document.ts). How many are read does not depend on the page that was asked for: so the order is one
 * and the same for all pages, and no hit is lost or comes twice.
 */
import { RANKED_DOCUMENT_WORDS, RERANKED, RERANKED_BY_RULES } from "../limits.ts";
import type { OpenedIndex } from "../open-index.ts";
import type { Candidates } from "../query/retrieve.ts";
import { scanUnit } from "../query/scan-unit.ts";
import type { TermMarks } from "../query/term-marks.ts";
import { countBits } from "../rules/coverage.ts";
import type { RuleMatch } from "../rules/rule.ts";
import { type Work, WorkOf } from "../work.ts";
import { type Rank, scoreOf, wholeScore } from "../rules/ranked/rank.ts";
import { blendScore, roughBlendScore } from "./blend.ts";
import type { RankingStep } from "./order-rules.ts";
import { createDocumentRanker, type StepRanks } from "./rank-document.ts";
import { selectBest, selectHighest } from "./select.ts";

/** Candidates that passed all conditions, by position in the arrays of `Candidates`. */
export interface Admitted {
  candidates: Candidates;
  positions: Uint32Array;
  /** How many there are; more than positions where only the best were looked for. */
  total: number;
  /** The first document of a candidate that passes the filter, by position. */
  documentOf: (position: number) => number;
  /** Bits of the words that count for a candidate, by position. */
  keptOf: (position: number) => number;
}

export interface Ranked {
  /** Index in `positions`. */
  at: number;
  /** Of a section; null beyond those that were read. */
  match: RuleMatch | null;
  /** Of a document that stands alone. */
  ranks: StepRanks | null;
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
  const { steps } = options;
  const { hierarchy } = index.settings;
  const depth = hierarchy ? RERANKED : RERANKED_BY_RULES;
  const best = selectRough(admitted, steps, Math.max(depth, options.count));
  const candidates = best.slice(0, depth);
  const read = hierarchy
    ? readSections(index, admitted, candidates, options)
    : readDocuments(index, admitted, candidates, options);
  const ranked = candidates.map((at, number) => read(at, number));
  const places = new Map(candidates.map((at, place) => [at, place]));
  const compare = fullOrder(admitted, steps);
  ranked.sort((a, b) => compare(a, b) || places.get(a.at)! - places.get(b.at)!);
  for (const at of best.slice(depth)) ranked.push(read(at, Infinity));
  return ranked;
}

/** Reads one candidate; `number` is its place among them, beyond all that may be read `Infinity`. */
type Read = (at: number, number: number) => Ranked;

function readSections(
  index: OpenedIndex,
  { candidates, positions }: Admitted,
  _: readonly number[],
  { steps, marks, work, isLate }: RankOptions,
): Read {
  const { units, masks, rarities, limits } = candidates;
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  return (at, number) => {
    const position = positions[at]!;
    const firstScore = candidates.scores[position]! / whole;
    if (number === Infinity || (number % 16 === 15 && isLate()))
      return { at, match: null, ranks: null, score: hasBlend(steps) ? roughBlendScore(firstScore) : 1 };
    work.add(wordsOf(index, units[position]!) * WorkOf.word);
    const match: RuleMatch = {
      blocks: scanUnit(index, units[position]!, marks, limits),
      mask: masks[position]!,
      rarities,
      firstScore,
      isIdentifier: isIdentifier(candidates),
      unitCount: index.unitCount,
    };
    return { at, match, ranks: null, score: hasBlend(steps) ? blendScore(match) : 1 };
  };
}

function hasBlend(steps: readonly RankingStep[]): boolean {
  return steps.some(({ kind }) => kind === "blend");
}

/** Reads documents until time runs out, or they have so many words that the others' order is left as it is. */
function readDocuments(
  index: OpenedIndex,
  { candidates, positions, keptOf }: Admitted,
  best: readonly number[],
  { steps, marks, work, isLate }: RankOptions,
): Read {
  const ranker = createDocumentRanker(index, candidates, steps, marks);
  const unitOf = (at: number) => candidates.units[positions[at]!]!;
  let words = 0;
  const last = best.findIndex((at) => (words += wordsOf(index, unitOf(at))) > RANKED_DOCUMENT_WORDS);
  const readable = last < 0 ? Infinity : last + 1;
  let isOver = false;
  return (at, number) => {
    const kept = keptOf(positions[at]!);
    if (number % 16 === 15 && isLate()) isOver = true;
    const isRead = number < readable && !isOver;
    if (isRead) work.add(wordsOf(index, unitOf(at)) * WorkOf.word);
    const ranks = isRead ? ranker.read(unitOf(at), kept) : ranker.skip(kept);
    return { at, match: null, ranks, score: wholeScore(ranks.flat()) };
  };
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

function leadingOrders({ positions, documentOf, keptOf }: Admitted, steps: readonly RankingStep[]) {
  const compares: ((a: number, b: number) => number)[] = [];
  for (const step of steps) {
    if (step.kind === "order")
      compares.push((a, b) => step.order.compare(documentOf(positions[a]!), documentOf(positions[b]!)));
    else if (step.kind === "rule" && step.rule.name === "words") {
      const countOf = (at: number) => countBits(keptOf(positions[at]!));
      compares.push((a, b) => countOf(b) - countOf(a));
    } else break;
  }
  return compares;
}

/** One step after the other; scores that differ by rounding are equal. Equal documents stay as they came. */
function fullOrder({ positions, documentOf }: Admitted, steps: readonly RankingStep[]) {
  return (a: Ranked, b: Ranked): number => {
    for (const [at, step] of steps.entries()) {
      const order =
        step.kind === "order"
          ? step.order.compare(documentOf(positions[a.at]!), documentOf(positions[b.at]!))
          : step.kind === "blend"
            ? Math.round((b.score - a.score) * 1e6)
            : compareRanks(a.ranks?.[at] ?? [], b.ranks?.[at] ?? []);
      if (order !== 0) return order;
    }
    return steps.some(({ kind }) => kind === "rule") ? positions[a.at]! - positions[b.at]! : 0;
  };
}

function compareRanks(a: readonly Rank[], b: readonly Rank[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = scoreOf(b[at]!) - scoreOf(a[at]!);
    if (order !== 0) return order;
  }
  return 0;
}
