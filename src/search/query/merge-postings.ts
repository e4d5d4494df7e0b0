import type { OpenedIndex } from "../reader/open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import { type Expansion, KindWeight } from "./expand-word.ts";
import { type Sequence, unitsWithSequence } from "./sequences.ts";
import { UnitBits } from "./unit-bits.ts";

export interface MergedPostings {
  /** Units that have any of the terms, in ascending order, each with its best score. */
  units: Uint32Array;
  /** Impact times weight, 0 to 255. */
  scores: Float32Array;
  /** The highest of the scores. */
  most: number;
  /** The units once more, if they are so many that asking here is faster than looking there. */
  bits: UnitBits | null;
}

/** Impact of words that match as a sequence, which has no posting of its own: that of a word in a text of its own. */
const SEQUENCE_IMPACT = 128;

/** From one unit in so many, the bits take no more room than the list. */
const DENSE = 64;

/** The merge at hand; empty between merges. */
interface Scratch {
  best: Float32Array;
  found: UnitBits;
}

const scratchByIndex = new WeakMap<OpenedIndex, Scratch>();

/** The union of the terms' postings; a unit counts by the best of the terms that it has. */
export function mergePostings(
  index: OpenedIndex,
  expansions: readonly Expansion[],
  sequences: readonly Sequence[],
  limits: AttributeLimits | null,
): MergedPostings {
  const scratch = scratchByIndex.get(index) ?? {
    best: new Float32Array(index.unitCount),
    found: new UnitBits(index.unitCount),
  };
  scratchByIndex.set(index, scratch);
  const { best, found } = scratch;
  for (const expansion of expansions) addTerm(index, expansion, limits, scratch);
  for (const sequence of sequences) {
    for (const unit of unitsWithSequence(index, sequence)) {
      found.add(unit);
      best[unit] = Math.max(best[unit]!, SEQUENCE_IMPACT * KindWeight.synonym);
    }
  }
  const units = new Uint32Array(found.count());
  const scores = new Float32Array(units.length);
  found.read(units);
  const bits = units.length * DENSE > index.unitCount ? found.copy() : null;
  found.clear();
  let most = 0;
  for (let at = 0; at < units.length; at++) {
    const score = best[units[at]!]!;
    scores[at] = score;
    if (score > most) most = score;
    best[units[at]!] = 0;
  }
  return { units, scores, most, bits };
}

function addTerm(
  index: OpenedIndex,
  expansion: Expansion,
  limits: AttributeLimits | null,
  { best, found }: Scratch,
): void {
  const { postingStarts, postingUnits, postingImpacts } = index;
  const { term, weight } = expansion;
  const end = postingStarts[term + 1]!;
  for (let at = postingStarts[term]!; at < end; at++) {
    const unit = postingUnits[at]!;
    const score = postingImpacts[at]! * weight;
    if (score <= best[unit]!) continue;
    if (limits && !standsWithin(index, unit, expansion, limits)) continue;
    found.add(unit);
    best[unit] = score;
  }
}

/** Whether a unit has a term in an attribute that is searched and, if it is a typo, forgives it. */
function standsWithin(
  index: OpenedIndex,
  unit: number,
  { term, typos }: Expansion,
  limits: AttributeLimits,
): boolean {
  const { unitBlocks, blockStarts, blockAttributes, stream } = index;
  for (let block = unitBlocks[unit]!; block < unitBlocks[unit + 1]!; block++) {
    const attribute = blockAttributes[block]!;
    if (!limits.isSearched(attribute) || (typos > 0 && limits.isTypoFree(attribute))) continue;
    for (let at = blockStarts[block]!; at < blockStarts[block + 1]!; at++)
      if (stream[at]! >>> 1 === term) return true;
  }
  return false;
}
