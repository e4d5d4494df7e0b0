import { MAX_COMPOUND_PARTS } from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { joinWords } from "../text/compounds.ts";
import { KindWeight } from "./expand-word.ts";
import type { QueryWord } from "./query-word.ts";
import { type MatchOptions, matchSynonyms, matchWord, type WordMatches } from "./word-matches.ts";

/** Query words `[from, to)` written as one in the documents: "multi stage" → `multistage`. */
export interface Span {
  from: number;
  to: number;
  matches: WordMatches;
  /** Typed as one word, and a word of the documents: its parts alone say less than they would otherwise. */
  isIdentifier: boolean;
  /** Typed as code writes identifiers. */
  isCode: boolean;
  /** The same, with underscores. */
  isSnakeCase: boolean;
}

/**
 * Every run of two words or more that the dictionary has joined. An identifier typed whole (`docker-bkae.hcl`) is also
 * looked up with typos: cutting it up may have left parts too short for any.
 */
export function findSpans(
  index: OpenedIndex,
  query: readonly QueryWord[],
  { forgives, limits }: Pick<MatchOptions, "forgives" | "limits">,
): Span[] {
  const spans: Span[] = [];
  const addSpan = (from: number, to: number, matches: WordMatches, isWhole: boolean) => {
    if (matches.units.length === 0) return;
    const isIdentifier = isWhole && matches.expansions.some(({ kind }) => kind !== "typo");
    spans.push({
      from,
      to,
      matches,
      isIdentifier,
      isCode: query[from]!.isCode,
      isSnakeCase: query[from]!.isSnakeCase,
    });
  };
  for (let from = 0; from < query.length; from++) {
    // "plug in" may be `plugin`, but "how to" is not "how-to".
    if (query[from]!.isStopWord) continue;
    for (let to = from + 2; to <= Math.min(query.length, from + MAX_COMPOUND_PARTS); to++) {
      const words = query.slice(from, to);
      if (words.some(({ isLiteral }) => isLiteral)) break;
      const isWhole = isIdentifier(query, from, to);
      const joined = joinWords(words.map(({ word }) => word));
      const isPrefix = words.at(-1)!.isPrefix;
      const key = words.map(({ word }) => word).join(" ");
      if (index.synonyms.has(key)) addSpan(from, to, matchSynonyms(index, key, limits), false);
      if (!isWhole && !isKnown(index, joined, isPrefix)) continue;
      addSpan(
        from,
        to,
        matchWord(index, joined, {
          isPrefix,
          isLiteral: false,
          forgives: isWhole ? forgives : "none",
          limits,
        }),
        isWhole,
      );
    }
  }
  return spans;
}

function isIdentifier(query: readonly QueryWord[], from: number, to: number): boolean {
  if (query[from]!.isJoined || query[to]?.isJoined) return false;
  return query.slice(from + 1, to).every(({ isJoined }) => isJoined);
}

function isKnown(index: OpenedIndex, word: string, isPrefix: boolean): boolean {
  if (!isPrefix) return index.dictionary.find(word) >= 0;
  const { from, to } = index.dictionary.prefixRange(word);
  return to > from;
}

/** The weight of a match of a word that was typed as part of a known identifier, relative to the identifier as a whole. */
const PART_OF_IDENTIFIER = 0.7;
const PART_OF_SNAKE_CASE = 0.5;

/** Factor for matches of query word `word` alone. */
export function partFactor(spans: readonly Span[], word: number): number {
  const span = spans.find(({ from, to, isIdentifier }) => isIdentifier && from <= word && word < to);
  if (!span) return 1;
  return span.isSnakeCase ? PART_OF_SNAKE_CASE : PART_OF_IDENTIFIER;
}

/** Factor for matches of the joined form. */
export function joinedFactor({ isIdentifier }: Span): number {
  return isIdentifier ? 1 : KindWeight.joined;
}
