import type { FileArray } from "../file/container.ts";
import { packNumbers } from "../file/number-list.ts";
import { SCORE_SCALE } from "../file/short-answers.ts";
import { encodeUtf8 } from "../file/utf8.ts";
import {
  MAX_SHORT_ANSWERS,
  SHORT_ANSWER_HITS,
  SHORT_ANSWER_LETTERS,
  SHORT_ANSWER_POSTINGS,
} from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";

/** The result of a search for a prefix: the first `count` hits and the number of all. */
export type FindPrefix = (
  prefix: string,
  count: number,
) => { hits: { unit: number; document: number; score: number }[]; total: number } | null;

/** `find` returns null where a prefix, typed on its own, would not be read as the beginning of one word. */
export function writeShortAnswers(index: OpenedIndex, find: FindPrefix): { [name: string]: FileArray } {
  const prefixes: string[] = [];
  const totals: number[] = [];
  const starts: number[] = [0];
  const places: number[] = [];
  const scores: number[] = [];
  for (const prefix of frequentPrefixes(index)) {
    const found = find(prefix, SHORT_ANSWER_HITS);
    if (!found) continue;
    prefixes.push(prefix);
    totals.push(found.total);
    for (const { unit, document, score } of found.hits) {
      places.push(placeOf(index, unit, document));
      scores.push(Math.round(score * SCORE_SCALE));
    }
    starts.push(places.length);
  }
  return {
    "short.prefixes": encodeUtf8(JSON.stringify(prefixes)),
    "short.totals": Uint32Array.from(totals),
    "short.starts": Uint32Array.from(starts),
    "short.places": packNumbers(Uint32Array.from(places)),
    "short.scores": Uint32Array.from(scores),
  };
}

/** Prefixes with so many postings that merging them takes longer than reading a kept answer; the most frequent ones. */
function frequentPrefixes(index: OpenedIndex): string[] {
  const { dictionary, postingStarts } = index;
  const prefixes: { prefix: string; postings: number }[] = [];
  for (let letters = 1; letters <= SHORT_ANSWER_LETTERS; letters++) {
    let term = 0;
    while (term < dictionary.count) {
      const prefix = dictionary.term(term).slice(0, letters);
      // A shorter term comes before the terms that begin with it.
      const isWhole = prefix.length === letters && prefix.isWellFormed();
      const { from, to } = isWhole ? dictionary.prefixRange(prefix) : { from: term, to: term + 1 };
      const postings = postingStarts[to]! - postingStarts[from]!;
      if (isWhole && postings >= SHORT_ANSWER_POSTINGS) prefixes.push({ prefix, postings });
      term = to;
    }
  }
  prefixes.sort((a, b) => b.postings - a.postings);
  return prefixes.slice(0, MAX_SHORT_ANSWERS).map(({ prefix }) => prefix);
}

function placeOf({ unitDocumentStarts, unitDocuments }: OpenedIndex, unit: number, document: number): number {
  const place = unitDocuments.indexOf(document, unitDocumentStarts[unit]);
  if (place < 0 || place >= unitDocumentStarts[unit + 1]!) {
    throw new Error(`Document ${document} is not in unit ${unit}.`);
  }
  return place;
}
