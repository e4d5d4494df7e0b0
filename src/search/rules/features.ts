import type { BlockMatch } from "../query/scan-unit.ts";

/** How much of the query a block has: words weighed by rarity, each by its best form. 0 to 1. */
export function queryCoverage(blocks: readonly BlockMatch[], rarities: readonly number[]): number {
  const best = new Array<number>(rarities.length).fill(0);
  for (const { occurrences } of blocks) {
    for (const { mask, weight } of occurrences) {
      for (let word = 0; word < best.length; word++) {
        if (mask & (1 << word) && weight > best[word]!) best[word] = weight;
      }
    }
  }
  let whole = 0;
  let covered = 0;
  rarities.forEach((rarity, word) => {
    whole += rarity;
    covered += rarity * best[word]!;
  });
  return whole === 0 ? 0 : covered / whole;
}

/** How much of a block the query has: the share of its words that match, each by its best form. 0 to 1. */
export function blockCoverage({ occurrences, length }: BlockMatch): number {
  const best = new Array<number>(length).fill(0);
  for (const { position, length: covered, weight } of occurrences) {
    for (let at = position; at < Math.min(length, position + covered); at++)
      best[at] = Math.max(best[at]!, weight);
  }
  return length === 0 ? 0 : best.reduce((sum, weight) => sum + weight, 0) / length;
}

/** Words from the first to the last of the shortest stretch that has every word of the block's mask. */
export function smallestWindow({ occurrences, mask }: BlockMatch): number {
  const counts = new Map<number, number>();
  let missing = 0;
  for (let word = 0; word < 31; word++) if (mask & (1 << word)) missing++;
  let first = 0;
  let best = Infinity;
  const change = (bits: number, by: number) => {
    for (let word = 0; word < 31; word++) {
      if (!(bits & (1 << word))) continue;
      const before = counts.get(word) ?? 0;
      counts.set(word, before + by);
      if (before === 0 && by > 0) missing--;
      if (before === 1 && by < 0) missing++;
    }
  };
  for (const last of occurrences) {
    change(last.mask, 1);
    while (missing === 0) {
      const opening = occurrences[first]!;
      best = Math.min(best, last.position + last.length - opening.position);
      change(opening.mask, -1);
      first++;
    }
  }
  return best;
}
