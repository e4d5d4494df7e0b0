import type { OpenedIndex } from "../open-index.ts";
import { type Accumulated, accumulate } from "./accumulate.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import type { Source } from "./bounds.ts";
import type { QueryWord } from "./parse-query.ts";
import { splitWords } from "./split-words.ts";
import { findSpans, joinedFactor, partFactor, type Span } from "./spans.ts";
import { matchLetters, matchWord, type WordMatches } from "./word-matches.ts";
import { wordRarities } from "./word-rarities.ts";

/** First stage: the units that have any of the words, each with a rough score (accumulate.ts). */
export interface Candidates extends Accumulated {
  /** The query's words as they were typed, run-together ones cut. */
  typed: readonly QueryWord[];
  words: readonly WordMatches[];
  /** Neighbouring words that the documents write as one. */
  spans: readonly Span[];
  /** Attributes that are searched; null = all, with typos. */
  limits: AttributeLimits | null;
  /** What each word says; see word-rarities.ts. */
  rarities: readonly number[];
}

/**
 * `needed`: how many of the best units are wanted for certain; null = all of them, because a condition, a sort or a count
 * looks at every one.
 */
export function retrieve(
  index: OpenedIndex,
  typed: readonly QueryWord[],
  limits: AttributeLimits | null,
  needed: number | null = null,
): Candidates {
  const query = splitWords(index, typed, limits);
  const words = query.map(({ word, isPrefix, isLiteral }) =>
    matchWord(index, word, { isPrefix, isLiteral, hasTypos: true, limits }),
  );
  const spans = findSpans(index, query, limits);
  const rarities = wordRarities(query, words, spans, index.unitCount);
  const sources = sourcesOf(words, spans, rarities);
  return { typed: query, words, spans, limits, rarities, ...accumulate(index, sources, rarities, needed) };
}

/** Identifiers before their parts, words before what they are joined to, rare words before frequent ones. */
function sourcesOf(
  words: readonly WordMatches[],
  spans: readonly Span[],
  rarities: readonly number[],
): Source[] {
  const joined = (isIdentifier: boolean) =>
    spans
      .filter((span) => span.isIdentifier === isIdentifier)
      .flatMap((span) =>
        words.slice(span.from, span.to).map((_, at): Source => {
          return { matches: span.matches, word: span.from + at, weight: joinedFactor(span) };
        }),
      );
  const single = words.map((matches, word): Source => ({ matches, word, weight: partFactor(spans, word) }));
  single.sort((a, b) => rarities[b.word]! - rarities[a.word]!);
  return [...joined(true), ...single, ...joined(false)];
}

/** What highlighting must know of a query that is nothing but the first letters of a word; no units. */
export function lettersOnly(index: OpenedIndex, word: string): Candidates {
  const none = new Uint32Array(0);
  const words = [matchLetters(index, word)];
  return {
    typed: [],
    words,
    spans: [],
    limits: null,
    rarities: [0],
    units: none,
    scores: new Float32Array(0),
    masks: none,
    total: 0,
  };
}
