/**
 * Answers to the first one or two letters that a reader types, made with the index. So few letters begin so many words
 * that the search for them is the slowest of all, for the least information; and every reader types them.
 *
 *   "d" → its first hits, as the search itself orders them, and how many there are in all
 *
 * Only plain queries are answered so (find-hits.ts): a filter, a sort or facets take the long way.
 */
import { packNumbers } from "./file/number-list.ts";
import { decodeUtf8, encodeUtf8 } from "./file/utf8.ts";
import type { Container, FileArray } from "./file/container.ts";
import {
  MAX_SHORT_ANSWERS,
  SHORT_ANSWER_HITS,
  SHORT_ANSWER_LETTERS,
  SHORT_ANSWER_POSTINGS,
} from "./limits.ts";
import type { OpenedIndex } from "./open-index.ts";

export interface ShortAnswer {
  /** Places of the hits' documents in `unitDocuments`, in the order of the hits. */
  places: FileArray;
  /** As the search gives it, 0 to 1. */
  scoreOf: (hit: number) => number;
  /** Sections that match at all. */
  total: number;
}

/** What a search for a prefix finds: the first `count` hits and the number of all. */
export type FindPrefix = (
  prefix: string,
  count: number,
) => { hits: { unit: number; document: number; score: number }[]; total: number } | null;

/** Scores are kept in 32 bits, of which the highest number stands for 1. */
const SCORE_SCALE = 0xffff_ffff;

/** `find` answers null where a prefix, typed on its own, would not be read as the beginning of one word. */
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
      // A term shorter than that stands before the ones that it begins.
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
    throw new Error(`Document ${document} is none of unit ${unit}.`);
  }
  return place;
}

export function readShortAnswers(file: Container): (prefix: string) => ShortAnswer | null {
  // Absent while the index is being built.
  if (!file.has("short.prefixes")) return () => null;
  const json = file.bytes("short.prefixes");
  // Written by `writeShortAnswers`, proved by the file's checksum.
  const prefixes = JSON.parse(decodeUtf8(json, 0, json.length)) as string[];
  const rows = new Map(prefixes.map((prefix, row) => [prefix, row]));
  const totals = file.words("short.totals");
  const starts = file.words("short.starts");
  const places = file.numbers("short.places");
  const scores = file.words("short.scores");
  return (prefix) => {
    const row = rows.get(prefix);
    if (row === undefined) return null;
    const start = starts[row]!;
    return {
      places: places.subarray(start, starts[row + 1]),
      scoreOf: (hit) => scores[start + hit]! / SCORE_SCALE,
      total: totals[row]!,
    };
  };
}
