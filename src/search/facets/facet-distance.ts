/**
 * Edits (insert, delete, change, swap of neighbours) that turn `typed` into a beginning of `word`: 0 for `dock` and
 * `docker`, 1 for `dcok`. Gives `limit + 1` for everything beyond the limit. Restricted Damerau-Levenshtein over rows:
 * the answer is the least of the last row, because the rest of `word` is not typed yet.
 */
export function boundedDistance(typed: string, word: string, limit: number): number {
  if (word.startsWith(typed)) return 0;
  if (limit === 0) return 1;
  const width = Math.min(word.length, typed.length + limit) + 1;
  let before: number[] = [];
  let previous = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= typed.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const isSame = typed[row - 1] === word[column - 1];
      let cost = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      if (isSwap) cost = Math.min(cost, before[column - 2]! + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return Math.min(limit + 1, ...previous);
}
