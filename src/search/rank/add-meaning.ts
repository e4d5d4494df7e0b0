/**
 * Sections near what the query means rank higher, the more so the less one paragraph has of its words: a question in the reader's own words
 * is in no paragraph, an identifier or a phrase of the page is. So words that are there keep their order.
 *
 *   share in one paragraph    1       .9      .8 and less
 *   part of the nearness      0       .5      1
 *
 * Where the part is 0, no one asks what the query means.
 */
import type { Near } from "../contract/meaning.ts";
import { queryCoverage } from "../rules/coverage.ts";
import { canReadMeaning, readMeaning, withNear } from "../query/meaning.ts";
import type { OpenedIndex } from "../reader/open-index.ts";
import { type Admitted, admitCandidates, type Conditions } from "./admit.ts";
import { meaningScore } from "./blend.ts";
import type { AskMeaning, Ranked } from "./ranked.ts";

/** The share that is missing from the best paragraph, from which on nearness counts fully. */
const FULL_FROM = 0.2;

/** null: no one reads what queries mean, or this one is code or a phrase. @param canAdd a condition is met by words */
export function askMeaning(
  index: OpenedIndex,
  admitted: Admitted,
  conditions: Conditions,
  canAdd: boolean,
): AskMeaning | null {
  const { candidates } = admitted;
  if (conditions.parsed.phrases.length > 0 || !canReadMeaning(index, candidates)) return null;
  return {
    read: () => readMeaning(index, candidates),
    seesAll: canAdd,
    admit: (near) => (canAdd ? admitCandidates(index, withNear(candidates, near), conditions) : admitted),
  };
}

/** The part of the nearness that counts, from what words have found. */
export function meaningPart(ranked: readonly Ranked[]): number {
  return Math.min(1, (1 - largestShare(ranked)) / FULL_FROM);
}

export function addMeaning(
  { candidates, positions }: Admitted,
  ranked: readonly Ranked[],
  { near, part }: { near: Near; part: number },
): void {
  for (const one of ranked) {
    if (!one.match) continue;
    one.match.meaning = part * near.scoreOf(candidates.units[positions[one.at]!]!);
    one.score = Math.min(1, one.score + meaningScore(one.match));
  }
}

/** The largest share of the query, by rarity, that one paragraph or heading has. */
function largestShare(ranked: readonly Ranked[]): number {
  let largest = 0;
  for (const { match } of ranked) {
    if (!match) continue;
    const { rarities } = match;
    const whole = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
    for (const block of match.blocks) {
      // What the block has in any form is at least what it has as typed, and cheaper to ask.
      const most = rarities.reduce((sum, rarity, word) => sum + (block.mask & (1 << word) ? rarity : 0), 0);
      if (most / whole > largest) largest = Math.max(largest, queryCoverage([block], rarities));
    }
  }
  return largest;
}
