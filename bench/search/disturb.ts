/** Ways in which a query is garbled between head and keyboard. null = impossible for this query. */

export type Random = () => number;

/** mulberry32: repeatable numbers from 0 to 1, seeded by a text (FNV-1a). */
export function seededRandom(seed: string): Random {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}

const WORD = /[A-Za-z]{5,}/g;

/**
 * Typos in words of five letters and more: `one`: in one word; `all`: one in each word, two in words of nine and more; `earlier`:
 * one in a word other than the last.
 */
export function misspell(q: string, which: "one" | "all" | "earlier", random: Random): string | null {
  const lastWord = q.lastIndexOf(" ");
  const words = [...q.matchAll(WORD)].filter(({ index }) => which !== "earlier" || index < lastWord);
  if (words.length === 0) return null;
  const chosen = which === "all" ? words : [words[Math.floor(random() * words.length)]!];
  let text = q;
  // From the end, so that earlier positions stay valid.
  for (const { 0: word, index } of chosen.toReversed()) {
    const edits = which === "all" && word.length >= 9 ? 2 : 1;
    let wrong = word;
    for (let edit = 0; edit < edits; edit++) wrong = editOnce(wrong, random);
    text = text.slice(0, index) + wrong + text.slice(index + word.length);
  }
  return text;
}

/** One letter changed, left out, added or swapped with the next letter; never the first. */
function editOnce(word: string, random: Random): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor(random() * 26)]!;
  switch (Math.floor(random() * 4)) {
    case 0:
      return word.slice(0, at) + letter + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + letter + word.slice(at);
    default:
      return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2);
  }
}

/** The last word cut short, to three letters or more. */
export function cutLast(q: string, random: Random): string | null {
  const last = /[A-Za-z]{4,}$/.exec(q);
  if (!last) return null;
  const kept = 3 + Math.floor(random() * (last[0].length - 3));
  return q.slice(0, last.index + kept);
}

/** Two words run together, or an identifier taken apart. */
export function joinOrSplit(q: string, random: Random): string | null {
  const ways = [
    ...[...q.matchAll(/(?<=[A-Za-z]{2}) (?=[A-Za-z]{2})/g)].map(
      ({ index }) => [index, index + 1, ""] as const,
    ),
    ...[...q.matchAll(/(?<=[a-z]{2})(?=[A-Z][a-z])/g)].map(({ index }) => [index, index, " "] as const),
    ...[...q.matchAll(/(?<=[A-Za-z]{2})-(?=[A-Za-z]{2})/g)].map(
      ({ index }) => [index, index + 1, random() < 0.5 ? "" : " "] as const,
    ),
  ];
  const way = ways[Math.floor(random() * ways.length)];
  return way ? q.slice(0, way[0]) + way[2] + q.slice(way[1]) : null;
}
