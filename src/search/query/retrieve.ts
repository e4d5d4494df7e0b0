/**
 * First stage: every unit that has any of the words, with a rough score.
 *
 *   score(unit) = (share of the query it has)² · Σ over its words (rarity · best impact)
 *
 * One pass over the merged postings of each word, adding into one number per unit.
 */
import type { OpenedIndex } from "../open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import type { QueryWord } from "./parse-query.ts";
import { rarity } from "./rarity.ts";
import { splitWords } from "./split-words.ts";
import { findSpans, joinedFactor, partFactor, type Span } from "./spans.ts";
import { UnitBits } from "./unit-bits.ts";
import { matchLetters, matchWord, type WordMatches } from "./word-matches.ts";

export interface Candidates {
  words: readonly WordMatches[];
  /** Neighbouring words that the documents write as one. */
  spans: readonly Span[];
  /** Attributes that are searched; null = all, with typos. */
  limits: AttributeLimits | null;
  /** Rarity of each word, as BM25 has it: of all forms together. */
  rarities: readonly number[];
  /** Units in ascending order; the arrays below are by position in it. */
  units: Uint32Array;
  scores: Float32Array;
  /** Bit `w` = has word `w` in some form. */
  masks: Uint32Array;
}

/** Arrays over all units, used again by every search: what a search is given is valid until the next one. */
interface Scratch {
  /** Zero between searches. */
  sums: Float32Array;
  masks: Uint32Array;
  found: UnitBits;
  units: Uint32Array;
  scores: Float32Array;
  foundMasks: Uint32Array;
}

const scratchByIndex = new WeakMap<OpenedIndex, Scratch>();

export function retrieve(
  index: OpenedIndex,
  typed: readonly QueryWord[],
  limits: AttributeLimits | null,
): Candidates {
  const query = splitWords(index, typed, limits);
  const words = query.map(({ word, isPrefix, isLiteral }) =>
    matchWord(index, word, { isPrefix, isLiteral, hasTypos: true, limits }),
  );
  const rarities = words.map(({ units }) => rarity(units.length, index.unitCount));
  const spans = findSpans(index, query, limits);
  const scratch = scratchByIndex.get(index) ?? {
    sums: new Float32Array(index.unitCount),
    masks: new Uint32Array(index.unitCount),
    found: new UnitBits(index.unitCount),
    units: new Uint32Array(index.unitCount),
    scores: new Float32Array(index.unitCount),
    foundMasks: new Uint32Array(index.unitCount),
  };
  scratchByIndex.set(index, scratch);
  const { sums, masks, found } = scratch;
  const add = ({ units, scores }: WordMatches, number: number, weight: number) => {
    const factor = (weight * rarities[number]!) / 255;
    const bit = 1 << number;
    for (let at = 0; at < units.length; at++) {
      const unit = units[at]!;
      const mask = masks[unit]!;
      if (mask & bit) continue;
      found.add(unit);
      masks[unit] = mask | bit;
      sums[unit]! += scores[at]! * factor;
    }
  };
  const addSpan = (span: Span) => {
    for (let number = span.from; number < span.to; number++) add(span.matches, number, joinedFactor(span));
  };
  // The first match of a word in a unit counts.
  for (const span of spans) if (span.isIdentifier) addSpan(span);
  words.forEach((word, number) => add(word, number, partFactor(spans, number)));
  for (const span of spans) if (!span.isIdentifier) addSpan(span);
  return { words, spans, limits, rarities, ...collect(scratch, rarities) };
}

function collect(scratch: Scratch, rarities: readonly number[]) {
  const { sums, masks } = scratch;
  const units = scratch.units.subarray(0, scratch.found.drain(scratch.units));
  const scores = scratch.scores.subarray(0, units.length);
  const foundMasks = scratch.foundMasks.subarray(0, units.length);
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  // Neighbouring candidates mostly have the same words.
  let lastMask = 0;
  let factor = 0;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    const mask = masks[unit]!;
    if (mask !== lastMask) {
      lastMask = mask;
      factor = (rarityOf(mask, rarities) / whole) ** 2;
    }
    scores[at] = sums[unit]! * factor;
    foundMasks[at] = mask;
    sums[unit] = 0;
    masks[unit] = 0;
  }
  return { units, scores, masks: foundMasks };
}

function rarityOf(mask: number, rarities: readonly number[]): number {
  let sum = 0;
  for (let word = 0; word < rarities.length; word++) if (mask & (1 << word)) sum += rarities[word]!;
  return sum;
}

/** What highlighting must know of a query that is nothing but the first letters of a word; no units. */
export function lettersOnly(index: OpenedIndex, word: string): Candidates {
  const none = new Uint32Array(0);
  const words = [matchLetters(index, word)];
  return {
    words,
    spans: [],
    limits: null,
    rarities: [0],
    units: none,
    scores: new Float32Array(0),
    masks: none,
  };
}
