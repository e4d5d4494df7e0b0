import type { OpenedIndex } from "../reader/open-index.ts";
import type { BlockMatch } from "../query/block-match.ts";
import { queryCoverage, smallestWindow } from "../rules/coverage.ts";
import type { DocumentSet } from "../contract/types.ts";
import { Field } from "../contract/unit-fields.ts";

/** How much better a paragraph must cover the query than the heading does, to be shown instead. */
const HEADING_LEAD = 0.1;

interface Choice {
  /** The unit's blocks that have words of the query. */
  blocks: readonly BlockMatch[];
  rarities: readonly number[];
  filter: DocumentSet | null;
}

/**
 * The record that stands for a section: its heading if that has as much of the query as any paragraph, else the
 * paragraph that has the most, the words closest together. Only records that pass the filter are considered.
 */
export function chooseDocument(
  index: OpenedIndex,
  unit: number,
  { blocks, rarities, filter }: Choice,
): number {
  let best: { document: number; score: number } | null = null;
  for (const block of blocks) {
    if (filter && filter[block.document] !== 1) continue;
    const lead = block.field === Field.heading ? HEADING_LEAD : 0;
    const isOwn = block.field === Field.heading || block.field === Field.text;
    const score = (isOwn ? queryCoverage([block], rarities) : 0) + lead + 0.05 / smallestWindow(block);
    if (!best || score > best.score) best = { document: block.document, score };
  }
  return best?.document ?? firstDocument(index, unit, filter);
}

/** The first of a unit's documents that passes the filter; -1 if none does. */
export function firstDocument(index: OpenedIndex, unit: number, filter: DocumentSet | null): number {
  for (let at = index.unitDocumentStarts[unit]!; at < index.unitDocumentStarts[unit + 1]!; at++) {
    const document = index.unitDocuments[at]!;
    if (!filter || filter[document] === 1) return document;
  }
  return -1;
}
