import type { OpenedIndex } from "../reader/open-index.ts";

/** Words of a unit, the joined forms among them. */
export function countWords({ blockStarts, unitBlocks }: OpenedIndex, unit: number): number {
  return blockStarts[unitBlocks[unit + 1]!]! - blockStarts[unitBlocks[unit]!]!;
}
