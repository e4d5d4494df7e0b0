import type { OpenedIndex } from "../reader/open-index.ts";

const DOT = 46;

/** How many of the next words a joined form stands for, at `at` of the stream: as many as make up its letters. */
export function joinedParts({ stream, dictionary }: OpenedIndex, at: number, end: number): number {
  const joined = stream[at]! >>> 1;
  const start = dictionary.starts[joined]!;
  const length = dictionary.length(joined);
  let letters = 0;
  let count = 0;
  for (let next = at + 1; next < end && letters < length; next++) {
    letters += dictionary.length(stream[next]! >>> 1);
    // The dot that keeps `1.23` and `12.3` apart belongs to neither part.
    if (dictionary.letters[start + letters] === DOT) letters++;
    count++;
  }
  return Math.max(1, count);
}
