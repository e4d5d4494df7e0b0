/**
 * The sorted list of all terms: letters one after the other, so that a term is found by bisection and the terms with
 * a common beginning are neighbours. `shared[t]` is how many letters term `t` has in common with the one before it,
 * which lets the typo search (typos.ts) pass over neighbours without comparing them again.
 */
import type { Container, FileArray } from "../file/container.ts";
import { packNumbers } from "../file/number-list.ts";

/** Terms `[from, to)`. */
export interface TermRange {
  from: number;
  to: number;
}

export function writeDictionary(terms: readonly string[]): { [name: string]: FileArray } {
  const starts = new Uint32Array(terms.length + 1);
  terms.forEach((term, number) => (starts[number + 1] = starts[number]! + term.length));
  const letters = new Uint16Array(starts[terms.length]!);
  const shared = new Uint8Array(terms.length);
  terms.forEach((term, number) => {
    for (let at = 0; at < term.length; at++) letters[starts[number]! + at] = term.charCodeAt(at);
    shared[number] = sharedLetters(terms[number - 1] ?? "", term);
  });
  return { "terms.starts": starts, "terms.letters": packNumbers(letters), "terms.shared": shared };
}

function sharedLetters(a: string, b: string): number {
  const most = Math.min(a.length, b.length, 255);
  let count = 0;
  while (count < most && a.charCodeAt(count) === b.charCodeAt(count)) count++;
  return count;
}

export class Dictionary {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly letters: FileArray;
  readonly shared: Uint8Array;

  constructor(file: Container) {
    this.starts = file.words("terms.starts");
    this.letters = file.numbers("terms.letters");
    this.shared = file.bytes("terms.shared");
    this.count = this.starts.length - 1;
  }

  /** All, in their order. */
  *terms(): Generator<string> {
    for (let number = 0; number < this.count; number++) yield this.term(number);
  }

  term(number: number): string {
    let term = "";
    for (let at = this.starts[number]!; at < this.starts[number + 1]!; at++) {
      term += String.fromCharCode(this.letters[at]!);
    }
    return term;
  }

  length(number: number): number {
    return this.starts[number + 1]! - this.starts[number]!;
  }

  /** The number of a term; -1 if it is not there. */
  find(term: string): number {
    const number = this.lowerBound(term);
    return number < this.count && this.length(number) === term.length && this.compare(number, term) === 0
      ? number
      : -1;
  }

  prefixRange(prefix: string): TermRange {
    const from = this.lowerBound(prefix);
    let [low, high] = [from, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, prefix) === 0) low = middle + 1;
      else high = middle;
    }
    return { from, to: low };
  }

  /** The first term that is not before `word`. */
  private lowerBound(word: string): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, word) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How a term's first letters compare with `word`; 0 if it begins with it. */
  private compare(number: number, word: string): number {
    const start = this.starts[number]!;
    const length = this.starts[number + 1]! - start;
    for (let at = 0; at < word.length; at++) {
      if (at === length) return -1;
      const difference = this.letters[start + at]! - word.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
