import type { OpenedIndex } from "../open-index.ts";
import type { TermRange } from "../dictionary/dictionary.ts";
import { NumberList } from "../file/number-list.ts";
import { type Expansion, expandWord, KindWeight } from "./expand-word.ts";
import { type Sequence, unitsWithSequence } from "./sequences.ts";

/** Where one typed word is found, in whatever form. */
export interface WordMatches {
  word: string;
  expansions: readonly Expansion[];
  /** All terms that begin with the word, kept as expansions or not; empty unless it may be unfinished. */
  completions: TermRange;
  /** Words that together stand for this one. */
  sequences: readonly Sequence[];
  /** Units that have any of the terms, in no order, each with its best score. */
  units: Uint32Array;
  /** Impact times weight, 0 to 255. */
  scores: Float32Array;
}

/** Words whose matches are kept per index: while a reader types, all but the last word stay the same. */
const KEPT_WORDS = 256;
/** Numbers kept for them, all words together. */
const KEPT_NUMBERS = 2_000_000;

interface Kept {
  matches: Map<string, WordMatches>;
  numbers: number;
  /** Best score per unit of the word being merged; zero between merges. */
  best: Float32Array;
}

const keptByIndex = new WeakMap<OpenedIndex, Kept>();

export interface MatchOptions {
  isPrefix: boolean;
  /** Only the word itself. */
  isLiteral: boolean;
  hasTypos: boolean;
}

export function matchWord(index: OpenedIndex, word: string, options: MatchOptions): WordMatches {
  const kept = keptByIndex.get(index) ?? {
    matches: new Map(),
    numbers: 0,
    best: new Float32Array(index.unitCount),
  };
  keptByIndex.set(index, kept);
  const { isPrefix, isLiteral, hasTypos } = options;
  const key = `${isLiteral ? "=" : ""}${isPrefix ? "^" : ""}${hasTypos ? "~" : ""} ${word}`;
  const known = kept.matches.get(key);
  if (known) {
    // Moves to the end of the map's order: the first one is the longest unused.
    kept.matches.delete(key);
    kept.matches.set(key, known);
    return known;
  }
  const matches = makeMatches(index, word, options, kept.best);
  kept.matches.set(key, matches);
  kept.numbers += matches.units.length;
  for (const [oldKey, old] of kept.matches) {
    if (kept.matches.size <= KEPT_WORDS && kept.numbers <= KEPT_NUMBERS) break;
    if (old === matches) break;
    kept.matches.delete(oldKey);
    kept.numbers -= old.units.length;
  }
  return matches;
}

function makeMatches(
  index: OpenedIndex,
  word: string,
  { isPrefix, isLiteral, hasTypos }: MatchOptions,
  best: Float32Array,
): WordMatches {
  const { dictionary, postingStarts } = index;
  const typo = { ...index.settings.typo, isEnabled: hasTypos && index.settings.typo.isEnabled };
  const frequency = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
  const expansions = isLiteral
    ? literal(index, word)
    : expandWord(word, { dictionary, frequency, typo, isPrefix });
  const completions = isPrefix ? dictionary.prefixRange(word) : { from: 0, to: 0 };
  const sequences: Sequence[] = [];
  return { word, expansions, completions, ...mergePostings(index, expansions, sequences, best) };
}

function literal(index: OpenedIndex, word: string): Expansion[] {
  const term = index.dictionary.find(word);
  return term < 0 ? [] : [{ term, kind: "exact", typos: 0, weight: 1 }];
}

/** The union of the terms' postings; a unit counts by the best of the terms that it has. */
function mergePostings(
  index: OpenedIndex,
  expansions: readonly Expansion[],
  sequences: readonly Sequence[],
  best: Float32Array,
): Pick<WordMatches, "sequences" | "units" | "scores"> {
  const { postingStarts, postingUnits, postingImpacts } = index;
  const units = new NumberList();
  const raise = (unit: number, score: number) => {
    const before = best[unit]!;
    if (before === 0) units.push(unit);
    if (score > before) best[unit] = score;
  };
  for (const { term, weight } of expansions) {
    for (let at = postingStarts[term]!; at < postingStarts[term + 1]!; at++) {
      raise(postingUnits[at]!, postingImpacts[at]! * weight);
    }
  }
  const standing = sequences.filter((sequence) => {
    const found = unitsWithSequence(index, sequence);
    for (const unit of found) raise(unit, impactOf(index, unit, sequence[0]!) * KindWeight.split);
    return found.length > 0;
  });
  const scores = new Float32Array(units.length);
  const found = units.view().slice();
  found.forEach((unit, at) => {
    scores[at] = best[unit]!;
    best[unit] = 0;
  });
  return { sequences: standing, units: found, scores };
}

/** The best impact of a range's terms in one unit, by bisection of their postings. */
function impactOf(index: OpenedIndex, unit: number, { from, to }: TermRange): number {
  const { postingStarts, postingUnits, postingImpacts } = index;
  let most = 0;
  for (let term = from; term < to; term++) {
    let [low, high] = [postingStarts[term]!, postingStarts[term + 1]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (postingUnits[middle]! < unit) low = middle + 1;
      else high = middle;
    }
    if (low < postingStarts[term + 1]! && postingUnits[low] === unit)
      most = Math.max(most, postingImpacts[low]!);
  }
  return most;
}
