/**
 * A pasted error message may contain quotes that the reader did not mean as a phrase:
 *
 *   failed to compute cache key: "/package.json": not found
 *
 * Taken as a phrase, the file name would be required: sections that have it come before the one about the message, or nothing
 * is found at all. A query that is nothing but a phrase is meant as one.
 */
import type { Candidates } from "./retrieve.ts";

const QUOTED = /"([^"]*)"?/g;

/** A hit with less of the query, by the rarity of its words, was only found by its quoted part. */
const LEAST_SHARE = 0.5;

export function hasWordsAroundQuotes(q: string): boolean {
  return q.includes('"') && q.replace(QUOTED, "").trim() !== "";
}

/** The same query with the quoted phrases as words. */
export function withoutQuotes(q: string): string {
  return q.replace(QUOTED, (_, words: string) => ` ${words.replace(/(^|\s)-+/g, "$1")} `);
}

/** Whether the best hit has most of the query, and not just its quotes. */
export function isAboutTheWhole(
  { units, masks, rarities }: Candidates,
  bestUnit: number | undefined,
): boolean {
  if (bestUnit === undefined) return false;
  const mask = masks[units.indexOf(bestUnit)] ?? 0;
  const whole = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const found = rarities.reduce((sum, rarity, word) => (mask & (1 << word) ? sum + rarity : sum), 0);
  return found >= LEAST_SHARE * whole;
}
