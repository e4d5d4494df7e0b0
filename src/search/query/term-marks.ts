/**
 * Term → which words of the query it stands for, and how well: two arrays over the whole dictionary, so that reading
 * a unit costs two look-ups a word. Marks are set for one search and cleared after it.
 */
import type { OpenedIndex } from "../reader/open-index.ts";
import type { Candidates } from "./retrieve.ts";
import type { Sequence } from "./sequences.ts";
import { completionWeight } from "./expand-word.ts";
import { type IdentifierRange, identifierRanges } from "./identifier-parts.ts";
import { joinedFactor } from "./spans.ts";

/** Bit of a mask that says: a sequence may begin with this term. */
const SEQUENCE_BIT = 2 ** 31;

export interface MarkedSequence {
  sequence: Sequence;
  mask: number;
}

export interface TermMarks {
  /** Bit `w` = stands for query word `w`. */
  masks: Uint32Array;
  /** 0 to 1, the best of the words it stands for. */
  weights: Float32Array;
  typos: Uint8Array;
  sequences: readonly MarkedSequence[];
  identifiers: readonly IdentifierRange[];
}

const marksByIndex = new WeakMap<OpenedIndex, Pick<TermMarks, "masks" | "weights" | "typos">>();

/** Marks the terms of a query, calls `use` with them, and clears them. */
export function withTermMarks<T>(
  index: OpenedIndex,
  candidates: Candidates,
  use: (marks: TermMarks) => T,
): T {
  const { count } = index.dictionary;
  const arrays = marksByIndex.get(index) ?? {
    masks: new Uint32Array(count),
    weights: new Float32Array(count),
    typos: new Uint8Array(count),
  };
  marksByIndex.set(index, arrays);
  const marked: number[] = [];
  const mark = (term: number, mask: number, weight: number, typos: number) => {
    if (arrays.masks[term] === 0) marked.push(term);
    arrays.masks[term]! |= mask;
    if (weight <= arrays.weights[term]!) return;
    arrays.weights[term] = weight;
    arrays.typos[term] = typos;
  };
  const sequences: MarkedSequence[] = [];
  for (const { matches, mask, factor } of markedWords(candidates)) {
    for (const { term, weight, typos } of matches.expansions) mark(term, mask, weight * factor, typos);
    // Completions beyond the kept expansions count too where a unit is a candidate anyway.
    for (let term = matches.completions.from; term < matches.completions.to; term++) {
      if (arrays.masks[term]! & mask) continue;
      mark(term, mask, factor * completionWeight(matches.word.length, index.dictionary.length(term)), 0);
    }
    for (const sequence of matches.sequences) {
      sequences.push({ sequence, mask });
      for (let term = sequence[0]!.from; term < sequence[0]!.to; term++) mark(term, SEQUENCE_BIT, 0, 0);
    }
  }
  try {
    return use({ ...arrays, sequences, identifiers: identifierRanges(candidates.spans) });
  } finally {
    for (const term of marked) arrays.masks[term] = arrays.weights[term] = arrays.typos[term] = 0;
  }
}

function markedWords({ words, spans }: Candidates) {
  const single = words.map((matches, number) => ({
    matches,
    mask: 1 << number,
    factor: 1,
  }));
  const joined = spans.map((span) => {
    const { from, to, matches } = span;
    const mask = ((1 << to) - 1) & ~((1 << from) - 1);
    return { matches, mask, factor: joinedFactor(span) };
  });
  return [...single, ...joined];
}
