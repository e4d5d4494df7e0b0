/**
 * Words typed without the space between them: `deploymentguides` → deployment guides. Only text that is not a
 * word of the documents, nor the beginning of one, is split, and a cut that the documents have side by side wins:
 *
 *   multistagebuild    multistage build (12 sections)    multi stagebuild (none)
 */
import type { TermRange } from "../dictionary/dictionary.ts";
import { MAX_COUNTED_UNITS } from "../contract/limits.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import type { QueryWord } from "./query-word.ts";
import { countUnitsWithSequence, type Sequence } from "./sequences.ts";
import { type MatchOptions, matchWord } from "./word-matches.ts";

/** Shortest part that two words found side by side may have, and two words found anywhere. */
const LEAST_NEIGHBOUR = 2;
const LEAST_PART = 4;

/** The query with its run-together words cut in two; the parts are marked as joined. */
export function splitWords(
  index: OpenedIndex,
  words: readonly QueryWord[],
  options: Pick<MatchOptions, "forgives" | "limits">,
): QueryWord[] {
  return words.flatMap((word) => {
    const cut = word.isLiteral || word.isStopWord ? 0 : findCut(index, word, options);
    if (cut === 0) return [word];
    return [
      { ...word, word: word.word.slice(0, cut), isPrefix: false },
      { ...word, word: word.word.slice(cut), isJoined: true },
    ];
  });
}

function findCut(
  index: OpenedIndex,
  { word, isPrefix }: QueryWord,
  options: Pick<MatchOptions, "forgives" | "limits">,
): number {
  const matches = matchWord(index, word, { isPrefix, isLiteral: false, ...options });
  if (matches.expansions.some(({ kind }) => kind !== "typo")) return 0;
  const isTypo = matches.expansions.some(({ typos }) => typos === 1);
  let best = { cut: 0, units: 0, least: 0 };
  for (const { cut, sequence } of knownCuts(index, word, isPrefix)) {
    const units = countUnitsWithSequence(index, sequence, MAX_COUNTED_UNITS);
    const least = Math.min(cut, word.length - cut);
    if (units === 0 && (isTypo || least < LEAST_PART || !index.settings.hierarchy)) continue;
    if (units > best.units || (units === best.units && least > best.least)) best = { cut, units, least };
  }
  return best.cut;
}

/** Cuts where both parts are terms, the second one perhaps unfinished. */
function knownCuts(
  index: OpenedIndex,
  word: string,
  isPrefix: boolean,
): { cut: number; sequence: Sequence }[] {
  const { dictionary } = index;
  const cuts: { cut: number; sequence: Sequence }[] = [];
  for (let cut = LEAST_NEIGHBOUR; cut <= word.length - LEAST_NEIGHBOUR; cut++) {
    const first = dictionary.find(word.slice(0, cut));
    if (first < 0) continue;
    const rest = word.slice(cut);
    const second = isPrefix ? dictionary.prefixRange(rest) : exactRange(dictionary.find(rest));
    if (second.to > second.from) cuts.push({ cut, sequence: [exactRange(first), second] });
  }
  return cuts;
}

function exactRange(term: number): TermRange {
  return term < 0 ? { from: 0, to: 0 } : { from: term, to: term + 1 };
}
