/**
 * Second stage: reads a candidate's words in order and notes which query words stand where.
 *
 *   query   warm builder cache
 *   block   Keep the cache of a warm builder …
 *   found   cache at 2 (word 2), warm at 5 (word 0), builder at 6 (word 1)
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import type { AttributeLimits } from "./attribute-limits.ts";
import type { BlockMatch, Occurrence } from "./block-match.ts";
import { KindWeight } from "./expand-word.ts";
import { lowerScatteredParts } from "./identifier-parts.ts";
import { joinedParts } from "./joined-parts.ts";
import { sequenceLengthAt } from "./sequences.ts";
import type { TermMarks } from "./term-marks.ts";

/** The weight of a synonym of several words. */
const SEQUENCE_WEIGHT = 0.9;

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
    // Most blocks have no word of the query and are skipped without allocating anything.
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
  const hasIdentifiers = marks.identifiers.length > 0;
  let position = 0;
  let partsEnd = 0;
  let found = 0;
  for (let at = blockStarts[block]!; at < end; at++) {
    const entry = stream[at]!;
    const term = entry >>> 1;
    const bits = marks.masks[term]!;
    if (hasIdentifiers && entry & 1) partsEnd = position + joinedParts(index, at, end);
    if (bits !== 0 && !(isTypoFree && marks.typos[term]! > 0)) {
      const mask = bits & 0x7fffffff;
      const weight = marks.weights[term]!;
      // A joined form of which only the beginning was typed says nothing of its other parts.
      const isBeginning = marks.typos[term] === 0 && marks.weights[term]! < KindWeight.joined;
      const length = entry & 1 && !isBeginning ? joinedParts(index, at, end) : 1;
      const isPart = position < partsEnd;
      if (mask) occurrences.push({ position, length, mask, isPart, weight, typos: marks.typos[term]! });
      found |= mask;
      if (bits > 0x7fffffff) {
        for (const { length, mask } of sequencesAt(index, marks, at, end)) {
          occurrences.push({ position, length, mask, isPart: false, weight: SEQUENCE_WEIGHT, typos: 0 });
          found |= mask;
        }
      }
    }
    if ((entry & 1) === 0) position++;
  }
  if (found === 0) return null;
  for (const identifier of marks.identifiers) lowerScatteredParts(occurrences, identifier);
  const field = index.blockFields[block]!;
  const attribute = index.blockAttributes[block]!;
  const document = index.blockDocuments[block]!;
  return { block, field, attribute, document, length: position, occurrences, mask: found };
}

/** The sequences that begin at `at` of the stream, each with the words that it covers there. */
function sequencesAt(
  index: OpenedIndex,
  { sequences }: TermMarks,
  at: number,
  end: number,
): { length: number; mask: number }[] {
  return sequences.flatMap(({ sequence, mask }) => {
    const length = sequenceLengthAt(index, at, end, sequence);
    return length > 0 ? [{ length, mask }] : [];
  });
}
