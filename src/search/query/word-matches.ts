import type { TermRange } from "../dictionary/dictionary.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import { type Expansion, expandWord, type Forgiving, KindWeight } from "./expand-word.ts";
import { expandBySettings } from "./expand-by-settings.ts";
import { mergePostings, type MergedPostings } from "./merge-postings.ts";
import type { Sequence } from "./sequences.ts";

/** The matches of one typed word, in any form. */
export interface WordMatches extends MergedPostings {
  word: string;
  expansions: readonly Expansion[];
  /** All terms that begin with the word, kept as expansions or not; empty unless it may be unfinished. */
  completions: TermRange;
  /** Words in a row that stand for this one: synonyms. */
  sequences: readonly Sequence[];
}

export interface MatchOptions {
  isPrefix: boolean;
  /** Only the word itself. */
  isLiteral: boolean;
  forgives: Forgiving;
  limits: AttributeLimits | null;
}

/** Words whose matches are kept per index: while a reader types, all but the last word stay the same. */
const KEPT_WORDS = 256;
/** Units kept for them, all words together, and at least so many lists of all units of a large index. */
const KEPT_UNITS = 2_000_000;
const KEPT_WHOLE_LISTS = 32;

/** A word that so many sections have, or fewer, is rare. */
const RARE_SECTIONS = 4;

interface Kept {
  matches: Map<string, WordMatches>;
  units: number;
}

const keptByIndex = new WeakMap<OpenedIndex, Kept>();

export function matchWord(index: OpenedIndex, word: string, options: MatchOptions): WordMatches {
  const { isPrefix, isLiteral, forgives, limits } = options;
  const key = `${isLiteral ? "=" : ""}${isPrefix ? "^" : ""}${forgives} ${word} ${limits?.key ?? ""}`;
  return remember(index, key, () => makeMatches(index, word, options));
}

/** The matches of the synonyms of a word, or of several in a row joined by spaces. */
export function matchSynonyms(
  index: OpenedIndex,
  words: string,
  limits: AttributeLimits | null,
): WordMatches {
  return remember(index, `* ${words} ${limits?.key ?? ""}`, () => {
    const { expansions, sequences } = synonymsOf(index, words);
    const merged = mergePostings(index, expansions, sequences, limits);
    return { word: words, expansions, completions: { from: 0, to: 0 }, sequences, ...merged };
  });
}

function remember(index: OpenedIndex, key: string, make: () => WordMatches): WordMatches {
  const kept = keptByIndex.get(index) ?? { matches: new Map(), units: 0 };
  keptByIndex.set(index, kept);
  const known = kept.matches.get(key);
  if (known) {
    // Moves it to the end of the map, whose first entry is the least recently used.
    kept.matches.delete(key);
    kept.matches.set(key, known);
    return known;
  }
  const made = make();
  kept.matches.set(key, made);
  kept.units += made.units.length;
  const mostUnits = Math.max(KEPT_UNITS, KEPT_WHOLE_LISTS * index.unitCount);
  for (const [oldKey, old] of kept.matches) {
    if (kept.matches.size <= KEPT_WORDS && kept.units <= mostUnits) break;
    if (old === made) break;
    kept.matches.delete(oldKey);
    kept.units -= old.units.length;
  }
  return made;
}

function makeMatches(index: OpenedIndex, word: string, options: MatchOptions): WordMatches {
  const { dictionary, postingStarts, inflections } = index;
  const { isPrefix, isLiteral, forgives, limits } = options;
  if (isLiteral) {
    const expansions = exactTerm(index, word);
    const merged = mergePostings(index, expansions, [], limits);
    return { word, expansions, completions: { from: 0, to: 0 }, sequences: [], ...merged };
  }
  const { typo } = index.settings;
  const frequency = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
  const synonyms = synonymsOf(index, word);
  // Sections answer to the meaning, documents that stand alone to the settings.
  const expand = index.settings.hierarchy ? expandWord : expandBySettings;
  const own = expand(word, { dictionary, frequency, typo, isPrefix, forgives, inflections });
  const concepts = conceptsOf(index, word, own);
  const expansions = [...own, ...synonyms.expansions, ...concepts.expansions];
  const completions = isPrefix ? dictionary.prefixRange(word) : { from: 0, to: 0 };
  const sequences = [...synonyms.sequences, ...concepts.sequences];
  return { word, expansions, completions, sequences, ...mergePostings(index, expansions, sequences, limits) };
}

/** The forms of one or two letters, which have no inflections and no typos, without their places. */
export function matchLetters(index: OpenedIndex, word: string): WordMatches {
  const { expansions, sequences } = synonymsOf(index, word);
  const completions = index.dictionary.prefixRange(word);
  return { word, expansions: [...exactTerm(index, word), ...expansions], completions, sequences, ...NOWHERE };
}

const NOWHERE: MergedPostings = {
  units: new Uint32Array(0),
  scores: new Float32Array(0),
  most: 0,
  bits: null,
};

function exactTerm(index: OpenedIndex, word: string): Expansion[] {
  const term = index.dictionary.find(word);
  return term < 0 ? [] : [{ term, kind: "exact", typos: 0, weight: KindWeight.exact }];
}

interface Alternatives {
  expansions: Expansion[];
  sequences: Sequence[];
}

/** What a word means, if hardly any section has it. A frequent word means itself: "agent" is not "runner" here. */
function conceptsOf(index: OpenedIndex, word: string, own: readonly Expansion[]): Alternatives {
  const none = { expansions: [], sequences: [] };
  const alternatives = index.settings.hierarchy ? index.concepts.get(word) : undefined;
  if (!alternatives) return none;
  const { postingStarts } = index;
  const sections = own.reduce((sum, { term, kind }) => {
    const counts = kind === "exact" || kind === "inflection";
    return counts ? sum + postingStarts[term + 1]! - postingStarts[term]! : sum;
  }, 0);
  return sections > RARE_SECTIONS ? none : alternativesOf(index, alternatives, KindWeight.concept);
}

function synonymsOf(index: OpenedIndex, words: string): Alternatives {
  return alternativesOf(index, index.synonyms.get(words) ?? [], KindWeight.synonym);
}

function alternativesOf(index: OpenedIndex, alternatives: readonly string[][], weight: number): Alternatives {
  const expansions: Expansion[] = [];
  const sequences: Sequence[] = [];
  for (const alternative of alternatives) {
    const terms = alternative.map((word) => index.dictionary.find(word));
    if (terms.includes(-1)) continue;
    const [term] = terms;
    if (terms.length > 1) sequences.push(terms.map((from) => ({ from, to: from + 1 })));
    else expansions.push({ term: term!, kind: "synonym", typos: 0, weight });
  }
  return { expansions, sequences };
}
