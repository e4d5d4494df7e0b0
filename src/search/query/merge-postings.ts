import { NumberList } from "../file/number-list.ts";
import type { OpenedIndex } from "../open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import { type Expansion, KindWeight } from "./expand-word.ts";
import { type Sequence, unitsWithSequence } from "./sequences.ts";

export interface MergedPostings {
  /** Units that have any of the terms, in no order, each with its best score. */
  units: Uint32Array;
  /** Impact times weight, 0 to 255. */
  scores: Float32Array;
}

/** Impact of words that match as a sequence, which has no posting of its own: that of a word in a text of its own. */
const SEQUENCE_IMPACT = 128;

// Best score per unit of the merge at hand; zero between merges.
const bestByIndex = new WeakMap<OpenedIndex, Float32Array>();

/** The union of the terms' postings; a unit counts by the best of the terms that it has. */
export function mergePostings(
  index: OpenedIndex,
  expansions: readonly Expansion[],
  sequences: readonly Sequence[],
  limits: AttributeLimits | null,
): MergedPostings {
  const { postingStarts, postingUnits, postingImpacts } = index;
  const best = bestByIndex.get(index) ?? new Float32Array(index.unitCount);
  bestByIndex.set(index, best);
  const units = new NumberList();
  for (const { term, weight, typos } of expansions) {
    for (let at = postingStarts[term]!; at < postingStarts[term + 1]!; at++) {
      const unit = postingUnits[at]!;
      if (limits && !standsWithin(index, unit, term, typos > 0, limits)) continue;
      const score = postingImpacts[at]! * weight;
      const before = best[unit]!;
      if (before === 0) units.push(unit);
      if (score > before) best[unit] = score;
    }
  }
  for (const sequence of sequences) {
    for (const unit of unitsWithSequence(index, sequence)) {
      if (best[unit] === 0) units.push(unit);
      best[unit] = Math.max(best[unit]!, SEQUENCE_IMPACT * KindWeight.synonym);
    }
  }
  const found = units.view().slice();
  const scores = new Float32Array(found.length);
  for (let at = 0; at < found.length; at++) {
    scores[at] = best[found[at]!]!;
    best[found[at]!] = 0;
  }
  return { units: found, scores };
}

/** Whether a unit has a term in an attribute that is searched and, if it is a typo, forgives it. */
function standsWithin(
  index: OpenedIndex,
  unit: number,
  term: number,
  isTypo: boolean,
  limits: AttributeLimits,
): boolean {
  const { unitBlocks, blockStarts, blockAttributes, stream } = index;
  for (let block = unitBlocks[unit]!; block < unitBlocks[unit + 1]!; block++) {
    const attribute = blockAttributes[block]!;
    if (!limits.isSearched(attribute) || (isTypo && limits.isTypoFree(attribute))) continue;
    for (let at = blockStarts[block]!; at < blockStarts[block + 1]!; at++)
      if (stream[at]! >>> 1 === term) return true;
  }
  return false;
}
