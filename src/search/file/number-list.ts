import type { FileArray } from "./container.ts";

/** A growing list of unsigned numbers, for building arrays whose length is not known before. */
export class NumberList {
  private array: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.array.length) {
      const grown = new Uint32Array(this.array.length * 2);
      grown.set(this.array);
      this.array = grown;
    }
    this.array[this.length++] = value;
  }

  /** The numbers so far; a view, valid until the next `push`. */
  view(): Uint32Array<ArrayBuffer> {
    return this.array.subarray(0, this.length);
  }
}

/** The same numbers in 8 or 16 bits if all fit. */
export function packNumbers(numbers: Uint16Array | Uint32Array): FileArray {
  let most = 0;
  for (const value of numbers) if (value > most) most = value;
  if (most <= 0xff) return Uint8Array.from(numbers);
  return most <= 0xffff ? Uint16Array.from(numbers) : numbers;
}

/** Ascending numbers from 0 on as the steps between them, which are small: `startsOf` gives them back. */
export function packDifferences(starts: Uint32Array): FileArray {
  const steps = new Uint32Array(Math.max(0, starts.length - 1));
  for (let at = 0; at < steps.length; at++) steps[at] = starts[at + 1]! - starts[at]!;
  return packNumbers(steps);
}

export function startsOf(steps: FileArray): Uint32Array {
  const starts = new Uint32Array(steps.length + 1);
  for (let at = 0; at < steps.length; at++) starts[at + 1] = starts[at]! + steps[at]!;
  return starts;
}
