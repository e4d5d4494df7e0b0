/**
 * Second stage: reads a candidate's words in order and notes which query words stand where.
 *
 *   query   warm builder cache
 *   block   Keep the cache of a warm builder …
 *   found   cache at 2 (word 2), warm at 5 (word 0), builder at 6 (word 1)
 */
import type { OpenedIndex } from "../open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import { KindWeight } from "./expand-word.ts";
import { isSequenceAt } from "./sequences.ts";
import type { TermMarks } from "./term-marks.ts";

const DOT = 46;

export interface Occurrence {
  /** In words from the block's beginning. */
  position: number;
  /** Words of the document that it covers. */
  length: number;
  /** Bits of the query words that it stands for. */
  mask: number;
  weight: number;
  typos: number;
}

export interface BlockMatch {
  field: number;
  attribute: number;
  document: number;
  /** Words in the block. */
  length: number;
  /** In order of position. */
  occurrences: Occurrence[];
  mask: number;
}

/** The blocks of a unit that have any of the query's words, in attributes that are searched. */
export function scanUnit(
  index: OpenedIndex,
  unit: number,
  marks: TermMarks,
  limits: AttributeLimits | null,
): BlockMatch[] {
  const { unitBlocks, blockStarts, stream } = index;
  const { masks } = marks;
  const matches: BlockMatch[] = [];
  const last = unitBlocks[unit + 1]!;
  for (let block = unitBlocks[unit]!; block < last; block++) {
    const end = blockStarts[block + 1]!;
    let at = blockStarts[block]!;
    // Most blocks have no word of the query: they are passed over without a trace.
    while (at < end && masks[stream[at]! >>> 1] === 0) at++;
    if (at === end) continue;
    const attribute = index.blockAttributes[block]!;
    if (limits && !limits.isSearched(attribute)) continue;
    const match = scanBlock(index, block, marks, limits?.isTypoFree(attribute) ?? false);
    if (match) matches.push(match);
  }
  return matches;
}

function scanBlock(
  index: OpenedIndex,
  block: number,
  marks: TermMarks,
  isTypoFree: boolean,
): BlockMatch | null {
  const { stream, blockStarts } = index;
  const end = blockStarts[block + 1]!;
  const occurrences: Occurrence[] = [];
  let position = 0;
  let found = 0;
  for (let at = blockStarts[block]!; at < end; at++) {
    const entry = stream[at]!;
    const term = entry >>> 1;
    const bits = marks.masks[term]!;
    if (bits !== 0 && !(isTypoFree && marks.typos[term]! > 0)) {
      const mask = bits & 0x7fffffff;
      const weight = marks.weights[term]!;
      // A joined form of which only the beginning was typed says nothing of its other parts.
      const isBeginning = marks.typos[term] === 0 && marks.weights[term]! < KindWeight.joined;
      const length = entry & 1 && !isBeginning ? partCount(index, at, end) : 1;
      if (mask) occurrences.push({ position, length, mask, weight, typos: marks.typos[term]! });
      found |= mask;
      if (bits > 0x7fffffff) found |= addSequences(index, at, end, position, marks, occurrences);
    }
    if ((entry & 1) === 0) position++;
  }
  if (found === 0) return null;
  const field = index.blockFields[block]!;
  const attribute = index.blockAttributes[block]!;
  const document = index.blockDocuments[block]!;
  return { field, attribute, document, length: position, occurrences, mask: found };
}

function addSequences(
  index: OpenedIndex,
  at: number,
  end: number,
  position: number,
  marks: TermMarks,
  occurrences: Occurrence[],
): number {
  let found = 0;
  for (const { sequence, mask } of marks.sequences) {
    if (!isSequenceAt(index, at, end, sequence)) continue;
    occurrences.push({ position, length: sequence.length, mask, weight: 0.9, typos: 0 });
    found |= mask;
  }
  return found;
}

/** How many words a joined form covers: as many of the next ones as make up its letters. */
function partCount(index: OpenedIndex, at: number, end: number): number {
  const { stream, dictionary } = index;
  const joined = stream[at]! >>> 1;
  const start = dictionary.starts[joined]!;
  const length = dictionary.length(joined);
  let letters = 0;
  let count = 0;
  for (let next = at + 1; next < end && letters < length; next++) {
    letters += dictionary.length(stream[next]! >>> 1);
    // The dot that keeps `1.23` and `12.3` apart is no letter of either part.
    if (dictionary.letters[start + letters] === DOT) letters++;
    count++;
  }
  return Math.max(1, count);
}
