/**
 * The matches of all words of a query, added up to one score per unit:
 *
 *   score(unit) = (share of the query it has)² · Σ over its words (rarity · best impact)
 *
 * If only the best units are wanted, not all need to be added up. Sources are in order, rare words first. The last ones,
 * the frequent words, which are most of the work, are left aside if they alone cannot lift a unit among the best; then
 * they are looked up for known units that still can be among the best, and only counted for all others. The same idea as
 * MaxScore (Turtle, Flood: "Query evaluation: strategies and optimizations", 1995); the result is the same as without.
 *
 * Helpers are looked up and not even counted: a unit without any of the sources is not found.
 *
 *   query       the cache of a builder          wanted: the best 60
 *   builder     9,000 units, the 60th best 1.9, of which 800 can still come to 1.9
 *   cache       alone at most 1.3, together with of, the and a 1.6: all of them are looked up for those 800
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import { selectHighest } from "../contract/select.ts";
import { factorOf, findBounds, mostOf, ROUNDING, shareFactor, type Source } from "./bounds.ts";
import { UnitBits } from "./unit-bits.ts";
import type { WordMatches } from "./word-matches.ts";
import { lowerBound } from "./lower-bound.ts";

export interface Accumulated {
  /** In ascending order; the arrays below are by position in it. */
  units: Uint32Array;
  scores: Float32Array;
  /** Bit `w` = has word `w` in some form. */
  masks: Uint32Array;
  /** Units that have any of the words. */
  total: number;
}

/** If a list has this many times more units than are looked up, searching it is faster than reading it. */
const WORTH_SEARCHING = 8;

/** Arrays over all units, reused by every search: what a search gets is valid until the next one. */
interface Scratch {
  /** Zero between searches, as is `masks`. */
  sums: Float32Array;
  masks: Uint32Array;
  /** Units with a mask. */
  known: UnitBits;
  units: Uint32Array;
  scores: Float32Array;
  foundMasks: Uint32Array;
}

const scratchByIndex = new WeakMap<OpenedIndex, Scratch>();

export interface Summands {
  /** Units are found by these. The first source that has a unit for a word counts. */
  sources: readonly Source[];
  /** The same for words that only add to units that others find. */
  helpers?: readonly Source[];
  rarities: readonly number[];
  /** How many of the best units are wanted for certain; null = all of them. */
  needed: number | null;
}

export function accumulate(
  index: OpenedIndex,
  { sources, helpers = [], rarities, needed }: Summands,
): Accumulated {
  const scratch = scratchByIndex.get(index) ?? createScratch(index.unitCount);
  scratchByIndex.set(index, scratch);
  const { known, units } = scratch;
  const bounds = needed === null ? null : findBounds(sources, helpers, rarities, needed);
  let count: number;
  if (bounds === null || needed === null) {
    for (const source of sources) addSource(scratch, source, rarities);
    count = known.read(units);
  } else {
    const left = sources.slice(bounds.first);
    const others = [...left, ...helpers];
    if (bounds.first === 1)
      count = addPossible(scratch, sources[0]!, { left: others, rarities, least: bounds.least });
    else {
      for (const source of sources.slice(0, bounds.first)) addSource(scratch, source, rarities);
      count = keepPossible(scratch, { left: others, rarities, needed, least: bounds.least });
    }
    for (const source of left) {
      addToKept(scratch, count, source, rarities);
      addUnits(known, source.matches);
    }
  }
  for (const helper of helpers) addToKept(scratch, count, helper, rarities);
  const total = known.count();
  known.clear();
  return { ...collect(scratch, count, rarities), total };
}

function createScratch(unitCount: number): Scratch {
  return {
    sums: new Float32Array(unitCount),
    masks: new Uint32Array(unitCount),
    known: new UnitBits(unitCount),
    units: new Uint32Array(unitCount),
    scores: new Float32Array(unitCount),
    foundMasks: new Uint32Array(unitCount),
  };
}

function addSource({ sums, masks, known }: Scratch, source: Source, rarities: readonly number[]): void {
  const { units, scores } = source.matches;
  const factor = factorOf(source, rarities);
  const bit = 1 << source.word;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    if (mask & bit) continue;
    known.add(unit);
    masks[unit] = mask | bit;
    sums[unit]! += scores[at]! * factor;
  }
}

/** The same for the first `count` of `scratch.units` alone, which are all that have a mask. */
function addToKept(scratch: Scratch, count: number, source: Source, rarities: readonly number[]): void {
  const { sums, masks, units: kept } = scratch;
  const { units, scores, bits } = source.matches;
  const factor = factorOf(source, rarities);
  const bit = 1 << source.word;
  const add = (unit: number, at: number) => {
    masks[unit]! |= bit;
    sums[unit]! += scores[at]! * factor;
  };
  if (count * WORTH_SEARCHING > units.length) {
    for (let at = 0; at < units.length; at++) {
      const mask = masks[units[at]!]!;
      if (mask !== 0 && (mask & bit) === 0) add(units[at]!, at);
    }
    return;
  }
  let at = 0;
  for (let next = 0; next < count; next++) {
    const unit = kept[next]!;
    if (masks[unit]! & bit || (bits && !bits.has(unit))) continue;
    at = lowerBound(units, unit, at);
    if (units[at] === unit) add(unit, at);
  }
}

function addUnits(known: UnitBits, { units, bits }: WordMatches): void {
  if (bits) known.addAll(bits);
  else for (const unit of units) known.add(unit);
}

/**
 * The only source that can lift a unit among the best: leaves in `scratch.units` those of its units that can come to the
 * score `least` with the others' help, adds it for them and returns how many.
 */
function addPossible(
  { sums, masks, known, units: kept }: Scratch,
  source: Source,
  { left, rarities, least }: Omit<Bounds, "needed">,
): number {
  const { units, scores } = source.matches;
  const factor = factorOf(source, rarities);
  const bit = 1 << source.word;
  const { mask, sum } = mostOf(left, rarities);
  const bound = (least / ROUNDING / shareFactor(rarities)(bit | mask) - sum) / factor;
  let count = 0;
  for (let at = 0; at < units.length; at++) {
    if (scores[at]! < bound) continue;
    const unit = units[at]!;
    sums[unit] = scores[at]! * factor;
    masks[unit] = bit;
    kept[count++] = unit;
  }
  addUnits(known, source.matches);
  return count;
}

interface Bounds {
  left: readonly Source[];
  rarities: readonly number[];
  needed: number;
  least: number;
}

/**
 * Leaves in `scratch.units` the known ones that can still be among the best, and returns how many; all, where finding out
 * takes longer than it saves.
 */
function keepPossible(scratch: Scratch, { left, rarities, needed, least }: Bounds): number {
  const { units, scores, sums, masks, known } = scratch;
  const count = known.read(units);
  const lookUps = left.reduce((sum, { matches }) => sum + matches.units.length, 0);
  if (count > lookUps) return count;
  const share = shareFactor(rarities);
  for (let at = 0; at < count; at++) scores[at] = sums[units[at]!]! * share(masks[units[at]!]!);
  const worst = count < needed ? undefined : selectHighest(scores, count, needed).at(-1);
  const bound = Math.max(least, worst === undefined ? 0 : scores[worst]!);
  const { mask, sum } = mostOf(left, rarities);
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const unit = units[at]!;
    if ((sums[unit]! + sum) * share(masks[unit]! | mask) * ROUNDING >= bound) units[kept++] = unit;
    else sums[unit] = masks[unit] = 0;
  }
  return kept;
}

function collect(scratch: Scratch, count: number, rarities: readonly number[]) {
  const { sums, masks } = scratch;
  const units = scratch.units.subarray(0, count);
  const scores = scratch.scores.subarray(0, count);
  const foundMasks = scratch.foundMasks.subarray(0, count);
  const share = shareFactor(rarities);
  for (let at = 0; at < count; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    scores[at] = sums[unit]! * share(mask);
    foundMasks[at] = mask;
    sums[unit] = 0;
    masks[unit] = 0;
  }
  return { units, scores, masks: foundMasks };
}
