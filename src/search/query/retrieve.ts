import type { OpenedIndex } from "../reader/open-index.ts";
import { type Accumulated, accumulate } from "./accumulate.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import type { Source } from "./bounds.ts";
import { essentialWords } from "./essential-words.ts";
import type { Forgiving } from "./expand-word.ts";
import type { QueryWord } from "./query-word.ts";
import { splitWords } from "./split-words.ts";
import { findSpans, joinedFactor, partFactor, type Span } from "./spans.ts";
import { keepComplete, needsAllParts, writtenIdentifier } from "./whole-identifier.ts";
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
  /** The weight of each word; see word-rarities.ts. */
  rarities: readonly number[];
  /** Bit `w` = a stop word: no mask of a unit has it. */
  stopWords: number;
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
  // Words of up to four letters are names as often as misspelt: `saml` is not "small" unless nothing else matches.
  const options = { limits, needed };
  if (!isLenient(index)) return retrieveForgiving(index, typed, { ...options, forgives: "asSet" });
  const found = retrieveForgiving(index, typed, { ...options, forgives: "unknown" });
  return found.total > 0 ? found : retrieveForgiving(index, typed, { ...options, forgives: "short" });
}

/** Documentation is searched by people; other documents forgive what Meilisearch forgives. */
const isLenient = ({ settings }: OpenedIndex) => settings.hierarchy !== null;

interface RetrieveOptions {
  limits: AttributeLimits | null;
  needed: number | null;
  forgives: Forgiving;
}

function retrieveForgiving(
  index: OpenedIndex,
  typed: readonly QueryWord[],
  { limits, needed, forgives }: RetrieveOptions,
): Candidates {
  const query = splitWords(index, typed, { forgives, limits });
  const words = query.map(({ word, isPrefix, isLiteral, isStopWord }) =>
    isStopWord
      ? matchWord(index, word, { isPrefix: false, isLiteral: true, forgives, limits })
      : matchWord(index, word, { isPrefix, isLiteral, forgives, limits }),
  );
  const spans = findSpans(index, query, { forgives, limits });
  const rarities = wordRarities(query, words, spans, index.unitCount);
  const stopWords = query.reduce((mask, { isStopWord }, word) => (isStopWord ? mask | (1 << word) : mask), 0);
  const isEssential = index.settings.hierarchy ? essentialWords(words, rarities, stopWords) : () => true;
  const sources = sourcesOf(words, spans, rarities);
  const written = index.settings.hierarchy ? writtenIdentifier(query, spans) : undefined;
  const isFinding = ({ matches, word }: Source) =>
    written ? matches === written : isEssential(word) && !(stopWords & (1 << word));
  const needsAll = index.settings.hierarchy !== null && needsAllParts(query, words);
  const found = accumulate(index, {
    sources: sources.filter((source) => isFinding(source)),
    helpers: sources.filter((source) => !isFinding(source)),
    rarities,
    // Sections with all parts need not be among the best.
    needed: needsAll ? null : needed,
  });
  const kept = needsAll ? keepComplete(found, words.length) : found;
  return { typed: query, words, spans, limits, rarities, stopWords, ...kept };
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

/** Highlighting data for a query that is nothing but the first letters of a word; no units. */
export function lettersOnly(index: OpenedIndex, word: string): Candidates {
  const none = new Uint32Array(0);
  const words = [matchLetters(index, word)];
  return {
    typed: [],
    words,
    spans: [],
    limits: null,
    rarities: [0],
    stopWords: 0,
    units: none,
    scores: new Float32Array(0),
    masks: none,
    total: 0,
  };
}
