import type { OpenedIndex } from "../open-index.ts";
import type { Admitted } from "../rank/rank-candidates.ts";
import { firstDocument } from "../rank/choose-document.ts";
import type { DocumentSet, SearchQuery } from "../types.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { Candidates } from "./retrieve.ts";
import { hasSequence, type Sequence } from "./sequences.ts";

/** The candidates that meet every condition: filter, phrases, exclusions and, with `matching: "all"`, all words. */
export function admitCandidates(
  index: OpenedIndex,
  candidates: Candidates,
  parsed: ParsedQuery,
  filter: DocumentSet | null,
  matching: SearchQuery["matching"],
): Admitted {
  const phrases = parsed.phrases.map((words) => sequenceOf(index, words));
  const excluded = parsed.excluded.map((words) => sequenceOf(index, words));
  const required = matching === "all" ? ((1 << candidates.rarities.length) - 1) & ~candidates.stopWords : 0;
  const { units, masks } = candidates;
  const documentOf = (position: number) => firstDocument(index, units[position]!, filter);
  const isOpen = !filter && required === 0 && phrases.length === 0 && excluded.length === 0;
  if (isOpen) {
    return { candidates, positions: allPositions(index, units.length), total: candidates.total, documentOf };
  }
  const positions = new Uint32Array(units.length);
  let count = 0;
  for (let position = 0; position < units.length; position++) {
    const unit = units[position]!;
    if ((masks[position]! & required) !== required) continue;
    if (!phrases.every((phrase) => hasSequence(index, unit, phrase))) continue;
    if (isExcluded(index, unit, excluded)) continue;
    if (filter && documentOf(position) < 0) continue;
    positions[count++] = position;
  }
  return { candidates, positions: positions.subarray(0, count), total: count, documentOf };
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

/** An unknown word makes an empty range: a sequence that stands nowhere. */
export function sequenceOf(index: OpenedIndex, words: readonly string[]): Sequence {
  return words.map((word) => {
    const term = index.dictionary.find(word);
    return term < 0 ? { from: 0, to: 0 } : { from: term, to: term + 1 };
  });
}
