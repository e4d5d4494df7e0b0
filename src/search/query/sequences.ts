/**
 * Words that stand one after the other: phrases, `multistage` for "multi stage", synonyms of several words. Each
 * place of the sequence is a range of terms, so that the last one may be unfinished.
 */
import type { TermRange } from "../dictionary/dictionary.ts";
import type { OpenedIndex } from "../open-index.ts";

export type Sequence = readonly TermRange[];

/** Units that have the sequence inside one block, in ascending order. */
export function unitsWithSequence(index: OpenedIndex, sequence: Sequence): number[] {
  const units = unitsWithAll(index, sequence);
  return units.filter((unit) => hasSequence(index, unit, sequence));
}

/** Units that have a term of every range. */
function unitsWithAll(index: OpenedIndex, sequence: Sequence): number[] {
  const { postingStarts, postingUnits } = index;
  const sizeOf = ({ from, to }: TermRange) => postingStarts[to]! - postingStarts[from]!;
  const ranges = [...sequence].sort((a, b) => sizeOf(a) - sizeOf(b));
  let units: Set<number> | null = null;
  for (const range of ranges) {
    const found = new Set<number>();
    for (let at = postingStarts[range.from]!; at < postingStarts[range.to]!; at++) {
      const unit = postingUnits[at]!;
      if (!units || units.has(unit)) found.add(unit);
    }
    units = found;
    if (found.size === 0) break;
  }
  return [...(units ?? [])].sort((a, b) => a - b);
}

export function hasSequence(index: OpenedIndex, unit: number, sequence: Sequence): boolean {
  const { unitBlocks, blockStarts } = index;
  for (let block = unitBlocks[unit]!; block < unitBlocks[unit + 1]!; block++) {
    const end = blockStarts[block + 1]!;
    for (let at = blockStarts[block]!; at < end; at++)
      if (isSequenceAt(index, at, end, sequence)) return true;
  }
  return false;
}

/** Whether the sequence begins with the word at `at` of the stream and ends before `end`. */
export function isSequenceAt(index: OpenedIndex, at: number, end: number, sequence: Sequence): boolean {
  const { stream } = index;
  let place = 0;
  for (let next = at; next < end; next++) {
    const entry = stream[next]!;
    // Joined forms take no position.
    if (entry & 1) continue;
    const { from, to } = sequence[place]!;
    if (entry >>> 1 < from || entry >>> 1 >= to) return false;
    place++;
    if (place === sequence.length) return true;
  }
  return false;
}
