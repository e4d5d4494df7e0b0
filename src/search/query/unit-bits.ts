/**
 * A set of units, one bit each. Code that collects units from many lists marks them here and reads them back in
 * ascending order: then everything that follows walks through memory instead of jumping about in it, which for the
 * frequent words of a large index is most of the time of a search.
 */
export class UnitBits {
  private readonly words: Int32Array;

  constructor(unitCount: number) {
    this.words = new Int32Array((unitCount >>> 5) + 1);
  }

  add(unit: number): void {
    this.words[unit >>> 5]! |= 1 << (unit & 31);
  }

  has(unit: number): boolean {
    return (this.words[unit >>> 5]! & (1 << (unit & 31))) !== 0;
  }

  copy(): UnitBits {
    const copy = new UnitBits(this.words.length * 32 - 1);
    copy.words.set(this.words);
    return copy;
  }

  /** @param others a set for the same units */
  addAll(others: UnitBits): void {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at]! |= others.words[at]!;
  }

  /** @param others a set for the same units */
  keepOnly(others: UnitBits): void {
    const { words } = this;
    for (let at = 0; at < words.length; at++) words[at]! &= others.words[at]!;
  }

  clear(): void {
    this.words.fill(0);
  }

  count(): number {
    let count = 0;
    for (const word of this.words) if (word !== 0) count += countOnes(word);
    return count;
  }

  /** Writes the units into `units` in ascending order and returns how many they are. */
  read(units: Uint32Array): number {
    const { words } = this;
    let count = 0;
    for (let at = 0; at < words.length; at++) {
      for (let word = words[at]!; word !== 0; word &= word - 1) {
        units[count++] = at * 32 + 31 - Math.clz32(word & -word);
      }
    }
    return count;
  }
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
