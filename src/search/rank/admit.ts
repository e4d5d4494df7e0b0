import type { OpenedIndex } from "../reader/open-index.ts";
import { firstDocument } from "./choose-document.ts";
import { type KeptWords, keptWords } from "./kept-words.ts";
import type { DocumentSet, SearchQuery } from "../contract/types.ts";
import type { ParsedQuery } from "../query/parse-query.ts";
import type { Candidates } from "../query/retrieve.ts";
import { hasSequence, type Sequence, sequenceOf } from "../query/sequences.ts";

/** Candidates that passed all conditions, by position in the arrays of `Candidates`. */
export interface Admitted {
  candidates: Candidates;
  positions: Uint32Array;
  /** Their number; more than positions where only the best were looked for. */
  total: number;
  /** The first document of a candidate that passes the filter, by position. */
  documentOf: (position: number) => number;
  /** Bits of the words that count for a candidate, by position. */
  keptOf: (position: number) => number;
}

export interface Conditions {
  parsed: ParsedQuery;
  filter: DocumentSet | null;
  matching: SearchQuery["matching"];
}

/** The candidates that meet every condition: filter, phrases, exclusions and the words that may not be missing. */
export function admitCandidates(
  index: OpenedIndex,
  candidates: Candidates,
  { parsed, filter, matching }: Conditions,
): Admitted {
  const kept = keptWordsOf(index, candidates, matching);
  const phrases = parsed.phrases.map((words) => sequenceOf(index, words));
  const excluded = parsed.excluded.map((words) => sequenceOf(index, words));
  const { units, masks } = candidates;
  const documentOf = (position: number) => firstDocument(index, units[position]!, filter);
  const keptOf = (position: number) => (kept ? kept(masks[position]!) : masks[position]!);
  const isOpen = !filter && !kept && phrases.length === 0 && excluded.length === 0;
  if (isOpen) {
    const all = allPositions(index, units.length);
    return { candidates, positions: all, total: candidates.total, documentOf, keptOf };
  }
  const positions = new Uint32Array(units.length);
  let count = 0;
  for (let position = 0; position < units.length; position++) {
    const unit = units[position]!;
    if (keptOf(position) === 0) continue;
    if (!phrases.every((phrase) => hasSequence(index, unit, phrase))) continue;
    if (isExcluded(index, unit, excluded)) continue;
    if (filter && documentOf(position) < 0) continue;
    positions[count++] = position;
  }
  return { candidates, positions: positions.subarray(0, count), total: count, documentOf, keptOf };
}

/** null: any word is enough, as for sections that need not have all. */
function keptWordsOf(
  { settings }: OpenedIndex,
  { typed, words }: Candidates,
  matching: SearchQuery["matching"],
): KeptWords | null {
  if (settings.hierarchy && matching !== "all") return null;
  const asked = typed.map(({ isLiteral, isStopWord }, at) => ({
    isLiteral,
    isStopWord,
    frequency: words[at]!.units.length,
  }));
  return keptWords(asked, matching);
}

const positionsByIndex = new WeakMap<OpenedIndex, Uint32Array>();

/** 0, 1, 2, …: the same array for every search. */
function allPositions(index: OpenedIndex, count: number): Uint32Array {
  const all = positionsByIndex.get(index) ?? new Uint32Array(index.unitCount).map((_, position) => position);
  positionsByIndex.set(index, all);
  return all.subarray(0, count);
}

/** Whether a unit has any of the excluded words and phrases. */
function isExcluded(index: OpenedIndex, unit: number, excluded: readonly Sequence[]): boolean {
  return excluded.some((sequence) => hasSequence(index, unit, sequence));
}
