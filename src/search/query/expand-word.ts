/**
 * One typed word → the dictionary terms that it may stand for, each with a weight.
 *
 *   deplyo (being typed)    deploy 0.55 (typo)   deployment 0.5 (typo in its beginning)   deployed …
 *
 * Exact before inflected before completed before misspelt. A word that the dictionary knows is rarely a misspelling,
 * so its typos count a quarter.
 */
import type { Dictionary } from "../dictionary/dictionary.ts";
import { findTypos, type TypoMatch } from "../dictionary/typos.ts";
import { MAX_EXPANSIONS, MAX_PREFIX_TERMS, MAX_TYPO_TERMS } from "../contract/limits.ts";
import { selectHighest } from "../contract/select.ts";
import { inflectionsOf } from "../text/inflections.ts";
import type { TypoSettings } from "../contract/types.ts";

export type ExpansionKind = "exact" | "inflection" | "prefix" | "typo" | "synonym";

export interface Expansion {
  term: number;
  kind: ExpansionKind;
  typos: number;
  /** 0 to 1: how likely the reader means this term. */
  weight: number;
}

export interface ExpandOptions {
  dictionary: Dictionary;
  /** Number of units that have a term. */
  frequency: (term: number) => number;
  typo: TypoSettings;
  isPrefix: boolean;
  forgives: Forgiving;
  /** Other forms of a word; absent: English ones. */
  inflections?: ((word: string) => string[]) | undefined;
}

/**
 * Which typos are looked for:
 * - `none`: none;
 * - `asSet`: as many as the settings allow in a word of its length;
 * - `unknown`: more in a word that nothing begins with, but none in one that is too short for any;
 * - `short`: in short ones too.
 */
export type Forgiving = "none" | "asSet" | "unknown" | "short";

/** The weight of each way of matching; `bench/` shows the effect of changes. */
export const KindWeight = {
  exact: 1,
  inflection: 0.8,
  synonym: 0.8,
  /** What a word means that the documents hardly have. */
  concept: 0.5,
  /** Two words that the documents write as one. */
  joined: 0.9,
  /** A completion; longer ones are less likely, down to the second number. */
  prefix: 0.85,
  longPrefix: 0.6,
  oneTypo: 0.6,
  twoTypos: 0.35,
  /** Factor for typos of a word that is itself a term. */
  typoOfKnown: 0.25,
} as const;

/** How far the best form's weight is raised towards 1. */
const CERTAINTY = 0.7;

/** Letters that a misspelt word may lack. */
const MISSED_LETTERS = 2;

export function expandWord(word: string, options: ExpandOptions): Expansion[] {
  const { dictionary, isPrefix, inflections = inflectionsOf } = options;
  const expansions = new Map<number, Expansion>();
  const add = (expansion: Expansion) => {
    const known = expansions.get(expansion.term);
    if (!known || known.weight < expansion.weight) expansions.set(expansion.term, expansion);
  };
  const exact = dictionary.find(word);
  if (exact >= 0) add({ term: exact, kind: "exact", typos: 0, weight: KindWeight.exact });
  for (const form of inflections(word)) {
    const term = dictionary.find(form);
    if (term >= 0) add({ term, kind: "inflection", typos: 0, weight: KindWeight.inflection });
  }
  const completions = isPrefix ? completionsOf(word, options) : [];
  completions.forEach(add);
  const isKnown = exact >= 0 || completions.length > 0;
  for (const typo of typosOf(word, options, isKnown)) add(typo);
  raiseToCertainty(expansions.values());
  return [...expansions.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_EXPANSIONS);
}

function completionsOf(word: string, { dictionary, frequency }: ExpandOptions): Expansion[] {
  const { from, to } = dictionary.prefixRange(word);
  const terms: number[] = [];
  for (let term = from; term < to; term++) if (dictionary.length(term) > word.length) terms.push(term);
  const kept = keepMostFrequent(terms, frequency, MAX_PREFIX_TERMS);
  return kept.map((term) => ({
    term,
    kind: "prefix",
    typos: 0,
    weight: completionWeight(word.length, dictionary.length(term)),
  }));
}

export function completionWeight(typed: number, length: number): number {
  const { prefix, longPrefix } = KindWeight;
  return longPrefix + (prefix - longPrefix) * (typed / length);
}

/** Typos forgiven in a word: by its length in letters, none with digits in it. */
export function typoLimit(word: string, typo: TypoSettings): number {
  if (!typo.isEnabled || typo.disabledOnWords.includes(word)) return 0;
  if (typo.disabledOnNumbers && /\d/.test(word)) return 0;
  if (word.length < typo.oneTypoFrom) return 0;
  const letters = [...word].length;
  return letters >= typo.twoTyposFrom ? 2 : letters >= typo.oneTypoFrom ? 1 : 0;
}

/** If not one form is the word as typed, the best one is still what was meant, most likely: all weights rise. */
function raiseToCertainty(expansions: Iterable<Expansion>): void {
  const all = [...expansions];
  const best = Math.max(...all.map(({ weight }) => weight));
  for (const one of all) one.weight *= (best + (1 - best) * CERTAINTY) / best;
}

function mostTypos(word: string, { typo, forgives }: ExpandOptions, isKnown: boolean): number {
  if (forgives === "none" || typo.disabledOnWords.includes(word)) return 0;
  const own = typoLimit(word, typo);
  const isLenient = !isKnown && (forgives === "short" || (forgives === "unknown" && own > 0));
  return isLenient ? typoLimit(word + ".".repeat(MISSED_LETTERS), typo) : own;
}

/**
 * A word that nothing begins with is misspelt for certain, perhaps by leaving letters out: then the length of the
 * term decides instead of the typed one (`drft` is one typo away from `draft`, which has five letters).
 */
function typosOf(word: string, options: ExpandOptions, isKnown: boolean): Expansion[] {
  const { dictionary, frequency, isPrefix, typo } = options;
  const limit = mostTypos(word, options, isKnown);
  if (limit === 0 || word.length < 3) return [];
  const isShort = [...word].length < typo.oneTypoFrom;
  const found = findTypos(dictionary, word, limit, isPrefix).filter((match) => {
    if (isShort && !isNearWhole(word, match, dictionary)) return false;
    const { term, distance } = match;
    return (
      isKnown ||
      distance <= typoLimit(word, typo) ||
      distance <= typoLimit("x".repeat(dictionary.length(term)), typo)
    );
  });
  found.sort(
    (a, b) =>
      a.distance - b.distance ||
      Number(a.isPrefix) - Number(b.isPrefix) ||
      frequency(b.term) - frequency(a.term),
  );
  return found.slice(0, MAX_TYPO_TERMS).map(({ term, distance, isPrefix: isBeginning }) => {
    const length = dictionary.length(term);
    const completion = isBeginning ? completionWeight(Math.min(word.length, length), length) : 1;
    const closeness = distance === 1 ? KindWeight.oneTypo : KindWeight.twoTypos;
    return {
      term,
      kind: "typo",
      typos: distance,
      weight: closeness * completion * (isKnown ? KindWeight.typoOfKnown : 1),
    };
  });
}

/** In a few letters one typo says little: `ldap` is not the beginning of "laptop", nor `rbac` of "reach". */
function isNearWhole(word: string, { term, distance, isPrefix }: TypoMatch, dictionary: Dictionary): boolean {
  return !isPrefix && distance === 1 && Math.abs(dictionary.length(term) - word.length) <= 1;
}

function keepMostFrequent(terms: number[], frequency: (term: number) => number, most: number): number[] {
  if (terms.length <= most) return terms;
  const frequencies = Uint32Array.from(terms, frequency);
  return selectHighest(frequencies, terms.length, most).map((at) => terms[at]!);
}
