/**
 * How a query and a block of a document cover each other: the part of each that the other has. All results are 0 to
 * 1; words count by their rarity, each by its best form.
 */
import type { BlockMatch } from "../query/block-match.ts";

/** The part of the query that the blocks have, together. */
export function queryCoverage(blocks: readonly BlockMatch[], rarities: readonly number[]): number {
  let whole = 0;
  let covered = 0;
  for (let word = 0; word < rarities.length; word++) {
    whole += rarities[word]!;
    covered += rarities[word]! * bestWeight(blocks, 1 << word);
  }
  return whole === 0 ? 0 : covered / whole;
}

/** The best form in which the blocks have a word; 0 = not at all. */
export function bestWeight(blocks: readonly BlockMatch[], bit: number): number {
  let best = 0;
  for (const block of blocks) {
    if ((block.mask & bit) === 0) continue;
    for (const { mask, weight } of block.occurrences) if (mask & bit && weight > best) best = weight;
  }
  return best;
}

/** The part of the block that the query has: the share of its words that match, each by its best form. */
export function blockCoverage({ occurrences, length }: BlockMatch): number {
  const best = new Float32Array(length);
  for (const { position, length: words, weight } of occurrences) {
    for (let at = position; at < Math.min(length, position + words); at++) {
      if (weight > best[at]!) best[at] = weight;
    }
  }
  return length === 0 ? 0 : best.reduce((sum, weight) => sum + weight, 0) / length;
}

/** Share of the query's neighbouring words that are neighbours in the block, in the same order. 1 for a single word. */
export function orderKept({ occurrences }: BlockMatch, wordCount: number): number {
  if (wordCount < 2) return 1;
  let kept = 0;
  for (let word = 0; word + 1 < wordCount; word++) {
    const pair = (1 << word) | (1 << (word + 1));
    const isKept = occurrences.some((left) => {
      if ((left.mask & pair) === pair) return true;
      if ((left.mask & (1 << word)) === 0) return false;
      const next = left.position + left.length;
      return occurrences.some((right) => right.position === next && right.mask & (1 << (word + 1)));
    });
    if (isKept) kept++;
  }
  return kept / (wordCount - 1);
}

/** Words from the first to the last of the shortest stretch that has every query word of the block. */
export function smallestWindow({ occurrences, mask }: BlockMatch): number {
  const counts = new Uint16Array(31);
  let missing = countBits(mask);
  let first = 0;
  let best = Infinity;
  for (const last of occurrences) {
    for (let bits = last.mask; bits !== 0; bits &= bits - 1) if (counts[lowestBit(bits)]!++ === 0) missing--;
    while (missing === 0) {
      const opening = occurrences[first++]!;
      best = Math.min(best, last.position + last.length - opening.position);
      for (let bits = opening.mask; bits !== 0; bits &= bits - 1)
        if (--counts[lowestBit(bits)]! === 0) missing++;
    }
  }
  return best;
}

export function countBits(mask: number): number {
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count++;
  return count;
}

function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}
