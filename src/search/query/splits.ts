import type { Dictionary } from "../dictionary/dictionary.ts";
import type { Sequence } from "./sequences.ts";

/** Shortest part into which an unknown word is split; shorter ones find nonsense. */
const LEAST_PART = 2;

/**
 * The ways in which a word that no document has may be two that follow each other: `deploymentguides` →
 * deployment guides, `deploymentgui` (unfinished) → deployment gui… Whether they do stand together anywhere is for
 * the caller to see.
 */
export function splitsOf(word: string, isPrefix: boolean, dictionary: Dictionary): Sequence[] {
  const splits: Sequence[] = [];
  for (let at = LEAST_PART; at <= word.length - LEAST_PART; at++) {
    const first = dictionary.find(word.slice(0, at));
    if (first < 0) continue;
    const rest = word.slice(at);
    if (isPrefix) {
      const range = dictionary.prefixRange(rest);
      if (range.to > range.from) splits.push([{ from: first, to: first + 1 }, range]);
      continue;
    }
    const second = dictionary.find(rest);
    if (second >= 0)
      splits.push([
        { from: first, to: first + 1 },
        { from: second, to: second + 1 },
      ]);
  }
  return splits;
}
