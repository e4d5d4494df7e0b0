import type { OpenedIndex } from "../open-index.ts";
import type { TermRange } from "../dictionary/dictionary.ts";
import { type Expansion, expandWord } from "./expand-word.ts";

/** Where one typed word is found, in whatever form. */
export interface WordMatches {
  word: string;
  expansions: readonly Expansion[];
  /** All terms that begin with the word, kept as expansions or not; empty unless it may be unfinished. */
  completions: TermRange;
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

export function matchWord(
  index: OpenedIndex,
  word: string,
  isPrefix: boolean,
  isLiteral: boolean,
): WordMatches {
  const kept = keptByIndex.get(index) ?? {
    matches: new Map(),
    numbers: 0,
    best: new Float32Array(index.unitCount),
  };
  keptByIndex.set(index, kept);
  const key = `${isLiteral ? "=" : isPrefix ? "^" : " "}${word}`;
  const known = kept.matches.get(key);
  if (known) {
    // Moves to the end of the map's order: the first one is the longest unused.
    kept.matches.delete(key);
    kept.matches.set(key, known);
    return known;
  }
  const matches = makeMatches(index, word, isPrefix, isLiteral, kept.best);
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
  isPrefix: boolean,
  isLiteral: boolean,
  best: Float32Array,
): WordMatches {
  const { dictionary, postingStarts } = index;
  const frequency = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
  const expansions = isLiteral
    ? literal(index, word)
    : expandWord(word, { dictionary, frequency, typo: index.settings.typo, isPrefix });
  const completions = isPrefix ? dictionary.prefixRange(word) : { from: 0, to: 0 };
  return { word, expansions, completions, ...mergePostings(index, expansions, best) };
}

function literal(index: OpenedIndex, word: string): Expansion[] {
  const term = index.dictionary.find(word);
  return term < 0 ? [] : [{ term, kind: "exact", typos: 0, weight: 1 }];
}

/** The union of the terms' postings; a unit counts by the best of the terms that it has. */
function mergePostings(
  index: OpenedIndex,
  expansions: readonly Expansion[],
  best: Float32Array,
): { units: Uint32Array; scores: Float32Array } {
  const { postingStarts, postingUnits, postingImpacts } = index;
  const total = expansions.reduce(
    (sum, { term }) => sum + postingStarts[term + 1]! - postingStarts[term]!,
    0,
  );
  const units = new Uint32Array(Math.min(total, index.unitCount));
  let count = 0;
  for (const { term, weight } of expansions) {
    for (let at = postingStarts[term]!; at < postingStarts[term + 1]!; at++) {
      const unit = postingUnits[at]!;
      const score = postingImpacts[at]! * weight;
      const before = best[unit]!;
      if (before === 0) units[count++] = unit;
      if (score > before) best[unit] = score;
    }
  }
  const scores = new Float32Array(count);
  for (let at = 0; at < count; at++) {
    scores[at] = best[units[at]!]!;
    best[units[at]!] = 0;
  }
  return { units: units.slice(0, count), scores };
}
