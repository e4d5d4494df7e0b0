/** Letters to add, drop or replace (Levenshtein table, by rows); Infinity as soon as they exceed `most`. */
export function countTypos(word: string, other: string, most: number): number {
  if (Math.abs(word.length - other.length) > most) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= word.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (word[i - 1] === other[j - 1] ? 0 : 1);
      const typos = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      least = Math.min(least, typos);
      next.push(typos);
    }
    if (least > most) return Infinity;
    row = next;
  }
  return row[other.length]!;
}
