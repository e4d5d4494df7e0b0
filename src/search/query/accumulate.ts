/**
 * The matches of all words of a query, added up to one score per unit:
 *
 *   score(unit) = (share of the query it has)² · Σ over its words (rarity · best impact)
 *
 * Who wants only the best units need not have them all added up. Rare words come first; when what is left can no longer
 * lift a new unit among the best, the frequent words (most of the work) only add to units that are known, and are
 * counted. The same idea as MaxScore (Turtle, Flood: "Query evaluation: strategies and optimizations", 1995), and the
 * result is the same as without it:
 *
 *   query       the cache of a builder          wanted: the best 2
 *   builder     3 units, the second best 1.9
 *   cache       could give a new unit 1.3       → closed: only those 3 can be among the best
 *   of, the, a  only counted
 */
import type { OpenedIndex } from "../open-index.ts";
import { selectHighest } from "../rank/select.ts";
import { UnitBits } from "./unit-bits.ts";
import type { WordMatches } from "./word-matches.ts";

/** Matches of one query word, or of several written as one: then a source for each. */
export interface Source {
  matches: WordMatches;
  /** Number of the query word. */
  word: number;
  /** 0 to 1. */
  weight: number;
}

export interface Accumulated {
  /** In ascending order; the arrays below are by position in it. */
  units: Uint32Array;
  scores: Float32Array;
  /** Bit `w` = has word `w` in some form. */
  masks: Uint32Array;
  /** Units that have any of the words. */
  total: number;
}

/** Units that a source must have for it to be worth asking whether they can still be among the best. */
const WORTH_CLOSING = 1000;

/** Arrays over all units, used again by every search: what a search is given is valid until the next one. */
interface Scratch {
  /** Zero between searches, as is `masks`. */
  sums: Float32Array;
  masks: Uint32Array;
  /** Units with a mask. */
  known: UnitBits;
  /** Once closed: all units. */
  all: UnitBits;
  units: Uint32Array;
  scores: Float32Array;
  foundMasks: Uint32Array;
}

const scratchByIndex = new WeakMap<OpenedIndex, Scratch>();

/**
 * `needed`: how many of the best units are wanted for certain; null = all of them. The first source that has a unit for
 * a word counts.
 */
export function accumulate(
  index: OpenedIndex,
  sources: readonly Source[],
  rarities: readonly number[],
  needed: number | null,
): Accumulated {
  const scratch = scratchByIndex.get(index) ?? createScratch(index.unitCount);
  scratchByIndex.set(index, scratch);
  let isClosed = false;
  sources.forEach((source, at) => {
    const isLarge = source.matches.units.length >= WORTH_CLOSING;
    if (!isClosed && needed !== null && isLarge && canClose(scratch, sources.slice(at), rarities, needed)) {
      isClosed = true;
      scratch.all.addAll(scratch.known);
    }
    const factor = (source.weight * rarities[source.word]!) / 255;
    if (isClosed) addToKnown(scratch, source, factor);
    else addSource(scratch, source, factor);
  });
  const count = scratch.known.read(scratch.units);
  const total = isClosed ? scratch.all.count() : count;
  const found = collect(scratch, count, rarities);
  scratch.known.clear();
  scratch.all.clear();
  return { ...found, total };
}

function createScratch(unitCount: number): Scratch {
  return {
    sums: new Float32Array(unitCount),
    masks: new Uint32Array(unitCount),
    known: new UnitBits(unitCount),
    all: new UnitBits(unitCount),
    units: new Uint32Array(unitCount),
    scores: new Float32Array(unitCount),
    foundMasks: new Uint32Array(unitCount),
  };
}

function addSource({ sums, masks, known }: Scratch, { matches, word }: Source, factor: number): void {
  const { units, scores } = matches;
  const bit = 1 << word;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    if (mask & bit) continue;
    known.add(unit);
    masks[unit] = mask | bit;
    sums[unit]! += scores[at]! * factor;
  }
}

function addToKnown({ sums, masks, all }: Scratch, { matches, word }: Source, factor: number): void {
  const { units, scores } = matches;
  const bit = 1 << word;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    all.add(unit);
    if (mask === 0 || mask & bit) continue;
    masks[unit] = mask | bit;
    sums[unit]! += scores[at]! * factor;
  }
}

/** Whether no unit that is not known yet can come among the best `needed` by the sources that are left. */
function canClose(
  scratch: Scratch,
  left: readonly Source[],
  rarities: readonly number[],
  needed: number,
): boolean {
  const { known, units, scores, sums, masks } = scratch;
  const count = known.read(units);
  if (count < needed) return false;
  const factorOf = shareFactor(rarities);
  for (let at = 0; at < count; at++) scores[at] = sums[units[at]!]! * factorOf(masks[units[at]!]!);
  const worst = selectHighest(scores, count, needed).at(-1);
  return worst !== undefined && mostOf(left, rarities, factorOf) < scores[worst]!;
}

/** The most that a unit can score by these sources alone. */
function mostOf(
  sources: readonly Source[],
  rarities: readonly number[],
  factorOf: (mask: number) => number,
): number {
  const most = new Float32Array(rarities.length);
  let mask = 0;
  for (const { matches, word, weight } of sources) {
    most[word] = Math.max(most[word]!, (weight * rarities[word]! * matches.most) / 255);
    mask |= 1 << word;
  }
  const sum = most.reduce((whole, one) => whole + one, 0);
  // A hair more, for what rounding to 32 bits may have added to a sum.
  return sum * factorOf(mask) * 1.00001;
}

function collect(scratch: Scratch, count: number, rarities: readonly number[]) {
  const { sums, masks } = scratch;
  const units = scratch.units.subarray(0, count);
  const scores = scratch.scores.subarray(0, count);
  const foundMasks = scratch.foundMasks.subarray(0, count);
  const factorOf = shareFactor(rarities);
  for (let at = 0; at < count; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    scores[at] = sums[unit]! * factorOf(mask);
    foundMasks[at] = mask;
    sums[unit] = 0;
    masks[unit] = 0;
  }
  return { units, scores, masks: foundMasks };
}

/** The square of the part of the query that a mask's words are, by their rarity. Neighbours mostly have the same mask. */
function shareFactor(rarities: readonly number[]): (mask: number) => number {
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  let lastMask = 0;
  let factor = 0;
  return (mask) => {
    if (mask === lastMask) return factor;
    lastMask = mask;
    let part = 0;
    for (let word = 0; word < rarities.length; word++) if (mask & (1 << word)) part += rarities[word]!;
    factor = (part / whole) ** 2;
    return factor;
  };
}
