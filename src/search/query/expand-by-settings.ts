/**
 * One typed word → the dictionary terms that it may stand for where documents stand alone: exactly what the index's settings
 * say, as Meilisearch reads them. No inflections, and no typo in a word that is too short for one, whatever else is found.
 */
import { findTypos } from "../dictionary/typos.ts";
import { MAX_DOCUMENT_PREFIX_TERMS, MAX_ONE_TYPO_TERMS, MAX_TWO_TYPO_TERMS } from "../contract/limits.ts";
import { selectHighest } from "../contract/select.ts";
import {
  completionWeight,
  type Expansion,
  type ExpandOptions,
  KindWeight,
  typoLimit,
} from "./expand-word.ts";

export function expandBySettings(word: string, options: ExpandOptions): Expansion[] {
  const { dictionary, typo, isPrefix, frequency, forgives } = options;
  const exact = dictionary.find(word);
  const expansions: Expansion[] = [];
  if (exact >= 0) expansions.push({ term: exact, kind: "exact", typos: 0, weight: KindWeight.exact });
  if (isPrefix) expansions.push(...completionsOf(word, options));
  const limit = forgives === "none" ? 0 : typoLimit(word, typo);
  if (limit === 0) return expansions;
  const found = findTypos(dictionary, word, limit, isPrefix);
  for (const [typos, most] of [MAX_ONE_TYPO_TERMS, MAX_TWO_TYPO_TERMS].entries()) {
    const terms = found.filter(({ distance }) => distance === typos + 1).map(({ term }) => term);
    const weight = typos === 0 ? KindWeight.oneTypo : KindWeight.twoTypos;
    for (const term of mostFrequent(terms, frequency, most)) {
      expansions.push({ term, kind: "typo", typos: typos + 1, weight });
    }
  }
  return expansions;
}

function completionsOf(word: string, { dictionary, frequency }: ExpandOptions): Expansion[] {
  const { from, to } = dictionary.prefixRange(word);
  const terms: number[] = [];
  for (let term = from; term < to; term++) if (dictionary.length(term) > word.length) terms.push(term);
  return mostFrequent(terms, frequency, MAX_DOCUMENT_PREFIX_TERMS).map((term) => ({
    term,
    kind: "prefix",
    typos: 0,
    weight: completionWeight(word.length, dictionary.length(term)),
  }));
}

function mostFrequent(terms: number[], frequency: (term: number) => number, most: number): number[] {
  if (terms.length <= most) return terms;
  return selectHighest(Uint32Array.from(terms, frequency), terms.length, most).map((at) => terms[at]!);
}
