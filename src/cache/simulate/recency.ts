/**
 * A cache of a given size that evicts the least recently used entry, without the content. Entries are numbers from 0, and the
 * list of their use is two arrays, so that hundreds of thousands take a few megabytes:
 *
 *   first ─► newer[…] ─► … ─► last        the first one is evicted next
 */
export class Recency {
  readonly #capacity: number;
  #sizes = new Float64Array(1024).fill(-1);
  #newer = new Int32Array(1024);
  #older = new Int32Array(1024);
  #first = -1;
  #last = -1;
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(entry: number): boolean {
    return (this.#sizes[entry] ?? -1) >= 0;
  }

  /** The entry's size; 0 when it is missing. */
  sizeOf(entry: number): number {
    return Math.max(this.#sizes[entry] ?? 0, 0);
  }

  /** Puts it at the end, and removes entries from the beginning until the rest fits. */
  use(entry: number, bytes: number): void {
    if (entry >= this.#sizes.length) this.#grow(entry + 1);
    if (this.has(entry)) this.#remove(entry);
    if (bytes > this.#capacity) return;
    this.#sizes[entry] = bytes;
    this.#bytes += bytes;
    this.#older[entry] = this.#last;
    this.#newer[entry] = -1;
    if (this.#last === -1) this.#first = entry;
    else this.#newer[this.#last] = entry;
    this.#last = entry;
    while (this.#bytes > this.#capacity) this.#remove(this.#first);
  }

  #remove(entry: number): void {
    this.#bytes -= this.sizeOf(entry);
    this.#sizes[entry] = -1;
    const [older = -1, newer = -1] = [this.#older[entry], this.#newer[entry]];
    if (older === -1) this.#first = newer;
    else this.#newer[older] = newer;
    if (newer === -1) this.#last = older;
    else this.#older[newer] = older;
  }

  #grow(entries: number): void {
    const length = Math.max(entries, this.#sizes.length * 2);
    const sizes = new Float64Array(length).fill(-1);
    const [newer, older] = [new Int32Array(length), new Int32Array(length)];
    sizes.set(this.#sizes);
    newer.set(this.#newer);
    older.set(this.#older);
    [this.#sizes, this.#newer, this.#older] = [sizes, newer, older];
  }
}
