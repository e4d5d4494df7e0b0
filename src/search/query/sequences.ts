/**
 * Words that stand one after the other: phrases, `multistage` for "multi stage", synonyms of several words. Each
 * place of the sequence is a range of terms, so that the last one may be unfinished.
 */
import type { TermRange } from "../dictionary/dictionary.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { UnitBits } from "./unit-bits.ts";
import { Field } from "../contract/unit-fields.ts";
import { joinedParts } from "./joined-parts.ts";

export type Sequence = readonly TermRange[];

/** An unknown word makes an empty range: a sequence that stands nowhere. */
export function sequenceOf(index: OpenedIndex, words: readonly string[]): Sequence {
  return words.map((word) => {
    const term = index.dictionary.find(word);
    return term < 0 ? { from: 0, to: 0 } : { from: term, to: term + 1 };
  });
}

/** Units that have the sequence inside one block, in ascending order. */
export function unitsWithSequence(index: OpenedIndex, sequence: Sequence): Uint32Array {
  return unitsWithAll(index, sequence).filter((unit) => hasSequence(index, unit, sequence));
}

/**
 * How many units have the sequence inside one block: exact up to `most` units that have all of its words, else judged
 * from so many of them, evenly spread. Two frequent words meet in most sections of a large site, and reading them all
 * would take longer than the rest of the search.
 */
export function countUnitsWithSequence(index: OpenedIndex, sequence: Sequence, most: number): number {
  const units = unitsWithAll(index, sequence);
  const read = Math.min(units.length, most);
  const step = units.length / read;
  let found = 0;
  for (let at = 0; at < read; at++) {
    // At a varying place of each stretch, so that no regular pattern of the units is hit.
    const place = read < units.length ? Math.floor((at + ((at * 0.618) % 1)) * step) : at;
    if (hasSequence(index, units[place]!, sequence)) found++;
  }
  return read === 0 ? 0 : Math.ceil((found * units.length) / read);
}

/** Units that have a term of every range. */
function unitsWithAll(index: OpenedIndex, sequence: Sequence): Uint32Array {
  const { postingStarts, postingUnits, unitCount } = index;
  const sizeOf = ({ from, to }: TermRange) => postingStarts[to]! - postingStarts[from]!;
  const ranges = [...sequence].sort((a, b) => sizeOf(a) - sizeOf(b));
  let units: UnitBits | null = null;
  for (const range of ranges) {
    if (sizeOf(range) === 0) return new Uint32Array(0);
    const found: UnitBits = new UnitBits(unitCount);
    const end = postingStarts[range.to]!;
    for (let at = postingStarts[range.from]!; at < end; at++) found.add(postingUnits[at]!);
    if (units) found.keepOnly(units);
    units = found;
  }
  const all = new Uint32Array(units?.count() ?? 0);
  units?.read(all);
  return all;
}

export function hasSequence(index: OpenedIndex, unit: number, sequence: Sequence): boolean {
  const { unitBlocks, blockStarts } = index;
  for (let block = unitBlocks[unit]!; block < unitBlocks[unit + 1]!; block++) {
    if (isAddress(index, block)) continue;
    const end = blockStarts[block + 1]!;
    for (let at = blockStarts[block]!; at < end; at++)
      if (sequenceLengthAt(index, at, end, sequence) > 0) return true;
  }
  return false;
}

/** Phrases and exclusions are about what a reader sees; addresses are not shown. */
function isAddress({ blockFields, settings }: OpenedIndex, block: number): boolean {
  const field = blockFields[block]!;
  return settings.hierarchy !== null && (field === Field.path || field === Field.name);
}

/**
 * Words of the block that the sequence covers from `at` of the stream on; 0 if it does not begin there or goes beyond
 * `end`. A joined form may stand for its parts: "github actions" is found in `GitHub Actions`, which has three words.
 */
export function sequenceLengthAt(index: OpenedIndex, at: number, end: number, sequence: Sequence): number {
  const { stream } = index;
  let words = 0;
  let next = at;
  for (const { from, to } of sequence) {
    let isFound = false;
    while (next < end && !isFound) {
      const entry = stream[next]!;
      isFound = entry >>> 1 >= from && entry >>> 1 < to;
      const isJoined = (entry & 1) !== 0;
      if (!isFound && !isJoined) return 0;
      const parts = isFound ? (isJoined ? joinedParts(index, next, end) : 1) : 0;
      words += parts;
      next += isJoined ? 1 + parts : 1;
    }
    if (!isFound) return 0;
  }
  return words;
}
