/**
 * Documents that stand alone: one rule after the other, as the index's settings name them and as Meilisearch counts. All
 * matches are read, up to a bound; the rest follow in the order of their first score.
 */
import { RANKED_DOCUMENT_WORDS, RANKED_DOCUMENTS } from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { countWords } from "../query/count-words.ts";
import { wholeScore } from "../rules/ranked/rank.ts";
import { WorkOf } from "../contract/work.ts";
import type { Admitted } from "./admit.ts";
import type { RankingStep } from "./order-rules.ts";
import type { Ranked, RankOptions } from "./ranked.ts";
import { createDocumentRanker, type StepRanks } from "./rank-document.ts";
import { selectRough } from "./rough-order.ts";
import { selectBest } from "../contract/select.ts";

/** Rules that follow each other are compared as one number (rank.ts); orders stand between them. */
type Part = { kind: "rules"; steps: number[] } | (RankingStep & { kind: "order" });

/** Scores that differ by less are equal but for rounding. */
const ROUNDING = 1e-13;

export function rankDocuments(index: OpenedIndex, admitted: Admitted, options: RankOptions): Ranked[] {
  const { steps, count } = options;
  const { positions, documentOf } = admitted;
  const best = selectRough(admitted, steps, Math.max(RANKED_DOCUMENTS, count));
  const parts = partsOf(steps);
  const read = createReader(index, admitted, best, options);
  const scores = new Float64Array(best.length);
  const keys = parts.map(() => new Float64Array(best.length));
  for (let number = 0; number < best.length; number++) {
    const ranks = read(number);
    scores[number] = wholeScore(ranks.flat());
    parts.forEach((part, at) => {
      if (part.kind === "rules") keys[at]![number] = wholeScore(part.steps.flatMap((step) => ranks[step]!));
    });
  }
  const isBefore = (a: number, b: number): boolean => {
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      const order =
        part.kind === "rules"
          ? keys[at]![b]! - keys[at]![a]!
          : part.order.compare(documentOf(positions[best[a]!]!), documentOf(positions[best[b]!]!));
      if (Math.abs(order) > ROUNDING) return order < 0;
    }
    return best[a]! < best[b]!;
  };
  return selectBest(best.length, count, isBefore).map((number) => {
    return { at: best[number]!, match: null, score: scores[number]! };
  });
}

function partsOf(steps: readonly RankingStep[]): Part[] {
  const parts: Part[] = [];
  for (const [at, step] of steps.entries()) {
    const last = parts.at(-1);
    if (step.kind === "order") parts.push(step);
    else if (last?.kind === "rules") last.steps.push(at);
    else parts.push({ kind: "rules", steps: [at] });
  }
  return parts;
}

/** Reads the documents one after the other, until time runs out or they have too many words. */
function createReader(
  index: OpenedIndex,
  { candidates, positions, keptOf }: Admitted,
  best: readonly number[],
  { steps, marks, work, isLate }: RankOptions,
): (number: number) => StepRanks {
  const ranker = createDocumentRanker(index, candidates, steps, marks);
  let words = 0;
  let isOver = false;
  return (number) => {
    const position = positions[best[number]!]!;
    const unit = candidates.units[position]!;
    isOver ||= number >= RANKED_DOCUMENTS || words > RANKED_DOCUMENT_WORDS;
    isOver ||= number % 16 === 15 && isLate();
    if (isOver) return ranker.skip(keptOf(position));
    const own = countWords(index, unit);
    words += own;
    work.add(own * WorkOf.word);
    return ranker.read(unit, keptOf(position));
  };
}
