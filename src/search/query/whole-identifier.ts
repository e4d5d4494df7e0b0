/**
 * A query that is nothing but one identifier, as code writes it. Its parts alone say little, so they find nothing where the
 * documents have more of it:
 *
 *   MILLRACE_TOKEN     only where it is written like this, if it is anywhere
 *   GetActionResult    only sections with all three words, if there are any
 *   useState           also sections about use, or state: two words are as often a heading that was typed without its space
 */
import type { QueryWord } from "./query-word.ts";
import type { Span } from "./spans.ts";
import type { WordMatches } from "./word-matches.ts";
import type { Accumulated } from "./accumulate.ts";

/** Parts that together are not a phrase without its spaces. */
const LEAST_PARTS = 3;

const isExact = ({ expansions }: WordMatches) => expansions.some(({ kind }) => kind === "exact");

/** The identifier with underscores that the query is, if the documents have it as it was typed. */
export function writtenIdentifier(
  query: readonly QueryWord[],
  spans: readonly Span[],
): WordMatches | undefined {
  const whole = spans.find(({ from, to, isIdentifier, isSnakeCase }) => {
    return isIdentifier && isSnakeCase && from === 0 && to === query.length;
  });
  return whole && isExact(whole.matches) ? whole.matches : undefined;
}

/** Whether sections need all words of the query: it is one identifier, and the documents have each of its parts as it was typed. */
export function needsAllParts(query: readonly QueryWord[], words: readonly WordMatches[]): boolean {
  if (query.length < LEAST_PARTS || !query[0]!.isCode) return false;
  return query.slice(1).every(({ isJoined }) => isJoined) && words.every(isExact);
}

/** The units that have every word, in some form; all, if none has. */
export function keepComplete(found: Accumulated, wordCount: number): Accumulated {
  const { units, scores, masks } = found;
  const whole = 2 ** wordCount - 1;
  let count = 0;
  for (let at = 0; at < units.length; at++) {
    if (masks[at] !== whole) continue;
    // Kept units move forward, over those that are left out.
    units[count] = units[at]!;
    scores[count] = scores[at]!;
    masks[count] = whole;
    count++;
  }
  if (count === 0) return found;
  const first = { units: units.subarray(0, count), scores: scores.subarray(0, count) };
  return { ...first, masks: masks.subarray(0, count), total: count };
}
