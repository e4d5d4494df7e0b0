/** How much a word says, given how many units have it: BM25's inverse document frequency, always above 0. */
export function rarity(frequency: number, unitCount: number): number {
  return Math.log(1 + (unitCount - frequency + 0.5) / (frequency + 0.5));
}
