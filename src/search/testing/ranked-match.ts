import type { DocumentMatch } from "../rules/ranked/document-match.ts";
import { matchOf } from "./match.ts";

export interface TestValue {
  /** Words; `cache~2` is the word with two typos. */
  text: string;
  importance?: number;
  before?: number;
  isWhole?: boolean;
}

/** The input of a rule for a query of these words and a document with these values. */
export function documentOf(
  query: string,
  values: (string | TestValue)[],
  known: Partial<DocumentMatch> = {},
): DocumentMatch {
  const words = query.split(" ").map(() => ({ mostTypos: 2, isKnown: true }));
  const matched = values.flatMap((value) => {
    const {
      text,
      importance = 0,
      before = 0,
      isWhole = true,
    } = typeof value === "string" ? { text: value } : value;
    const [block] = matchOf(query, [text]).blocks;
    return block
      ? [{ importance, before, isWhole, length: block.length, occurrences: block.occurrences }]
      : [];
  });
  const found = matched.reduce(
    (bits, { occurrences }) => occurrences.reduce((all, { mask }) => all | mask, bits),
    0,
  );
  return { words, kept: found, values: matched, lastImportance: 3, ...known };
}
