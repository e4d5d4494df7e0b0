import type { Mark } from "./types.ts";

/** Words between two matches that count; larger distances are all treated alike. */
const FARTHEST = 7;

/**
 * The words from the first to the last of the matches that say most within `length` words; null if there are none. Each
 * run of matches that fits is examined only once, by sums over the matches before: a text may have thousands.
 */
export function bestMarks(marks: readonly Mark[], length: number): { from: number; to: number } | null {
  if (marks.length === 0) return null;
  const scores = new RunScores(marks);
  let best: { first: number; last: number; score: readonly number[] } | null = null;
  let first = 0;
  const note = (last: number) => {
    const score = scores.of(first, last);
    if (!best || isBetter(score, best.score)) best = { first, last, score };
  };
  for (let last = 0; last < marks.length; last++) {
    const end = endOf(marks[last]!);
    if (end - marks[first]!.token > length) {
      if (last > first) note(last - 1);
      while (first < last && end - marks[first]!.token > length) first++;
    }
  }
  note(marks.length - 1);
  const { first: from, last } = best!;
  return { from: marks[from]!.token, to: endOf(marks[last]!) };
}

function endOf({ token, tokens }: Mark): number {
  return token + tokens;
}

function isBetter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((one, place) => one !== b[place]);
  return at >= 0 && a[at]! > b[at]!;
}

/** How much a run of matches says: different query words, then nearness, then the query's order. Runs only move on. */
class RunScores {
  readonly #marks: readonly Mark[];
  /** Sums over the matches before: words between neighbours, and neighbours in the query's order. */
  readonly #distances: Float64Array;
  readonly #orders: Float64Array;
  readonly #counts = new Map<number, number>();
  #first = 0;
  #end = 0;

  constructor(marks: readonly Mark[]) {
    this.#marks = marks;
    this.#distances = new Float64Array(marks.length);
    this.#orders = new Float64Array(marks.length);
    for (let at = 1; at < marks.length; at++) {
      const [before, mark] = [marks[at - 1]!, marks[at]!];
      const distance = Math.min(FARTHEST, mark.token - endOf(before) + 1);
      this.#distances[at] = this.#distances[at - 1]! + distance;
      this.#orders[at] = this.#orders[at - 1]! + (mark.queryWord > before.queryWord ? 1 : 0);
    }
  }

  of(first: number, last: number): readonly number[] {
    while (this.#end <= last) this.#count(this.#end++, 1);
    while (this.#first < first) this.#count(this.#first++, -1);
    return [
      this.#counts.size,
      this.#distances[first]! - this.#distances[last]!,
      this.#orders[last]! - this.#orders[first]!,
    ];
  }

  #count(at: number, by: number): void {
    const { queryWord, queryWords } = this.#marks[at]!;
    for (let word = queryWord; word < queryWord + queryWords; word++) {
      const count = (this.#counts.get(word) ?? 0) + by;
      if (count === 0) this.#counts.delete(word);
      else this.#counts.set(word, count);
    }
  }
}
