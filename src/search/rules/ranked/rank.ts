/**
 * A document's rank in one rule: `rank` of `most`, and more is better. Rules decide one after the other, so a whole
 * score is a number whose digits are the ranks:
 *
 *   words 2 of 2, typo 3 of 3, proximity 3 of 4     ((2 - 1) · 3 + 3 - 1) · 4 + 3 of 2 · 3 · 4 = 23 of 24
 */
export interface Rank {
  rank: number;
  most: number;
}

/** The rank is unknown, because time or work ran out before the rule. */
export const SKIPPED: Rank = { rank: 0, most: 1 };

export function scoreOf({ rank, most }: Rank): number {
  return rank / most;
}

/** 0 to 1. */
export function wholeScore(ranks: readonly Rank[]): number {
  let score = 1;
  let step = 1;
  for (const { rank, most } of ranks) {
    step /= most;
    score += (rank - most) * step;
  }
  // Rounding may have moved it out of this range.
  return Math.min(1, Math.max(0, score));
}
