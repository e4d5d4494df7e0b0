/** Which entries match the typed text, best first. Names match from the first letters of their words, ids from four characters. */
import { type Entry, type GroupName, GROUPS } from "./entries.ts";

/** Entries of one group; a group alone shows more. */
const SHOWN_BESIDE_OTHERS = 6;
const SHOWN_ALONE = 30;
const ID_CHARACTERS = 4;
/** Shorter pieces from the middle of a word would match nearly everything. */
const INNER_CHARACTERS = 3;
/** Number of ranks of `rankOf`: 0 to 4. */
const RANKS = 5;

interface Indexed {
  entry: Entry;
  label: string;
  /** Start positions of the words in `label`. */
  starts: number[];
  words: string;
  id: string;
}

export interface EntryIndex {
  all: readonly Indexed[];
}

export interface Found {
  group: GroupName;
  entries: Entry[];
}

/** Once for each list: 10,000 projects take some milliseconds. */
export function indexEntries(entries: readonly Entry[]): EntryIndex {
  return {
    all: entries.map((entry) => {
      const label = fold(entry.label);
      return {
        entry,
        label,
        starts: wordStarts(label),
        words: ` ${fold(entry.words ?? "")}`,
        id: fold(entry.id ?? ""),
      };
    }),
  };
}

interface Options {
  /** Whether the text followed `>`. */
  isCommandsOnly?: boolean;
}

/** @param text as typed; empty: nothing is found */
export function findEntries(
  { all }: EntryIndex,
  text: string,
  { isCommandsOnly = false }: Options = {},
): Found[] {
  const query = fold(text.trim());
  const words = query.split(/\s+/).filter(Boolean);
  if (words.length === 0 && !isCommandsOnly) return [];
  const best = new Map<GroupName, Entry[][]>();
  for (const each of all) {
    const { entry } = each;
    if (isCommandsOnly && !entry.isCommand) continue;
    const rank = rankOf(each, query, words);
    if (rank === null) continue;
    const byRank = best.get(entry.group) ?? Array.from({ length: RANKS }, (): Entry[] => []);
    best.set(entry.group, byRank);
    // One letter matches most of 10,000 projects: entries that cannot be shown are neither kept nor sorted.
    const equals = byRank[rank];
    if (equals && equals.length < SHOWN_ALONE) equals.push(entry);
  }
  const limit = best.size === 1 ? SHOWN_ALONE : SHOWN_BESIDE_OTHERS;
  return GROUPS.flatMap((group) => {
    const byRank = best.get(group);
    return byRank ? [{ group, entries: byRank.flat().slice(0, limit) }] : [];
  });
}

/** Smaller is better; null: no match. Every word has to match. */
function rankOf(
  { label, starts, words: others, id }: Indexed,
  query: string,
  words: string[],
): number | null {
  if (id !== "" && query.length >= ID_CHARACTERS && id.startsWith(query)) return 0;
  if (label === query) return 0;
  if (label.startsWith(query)) return 1;
  let rank = 2;
  for (const word of words) {
    const isThere = label.includes(word);
    if (isThere && beginsWord(label, starts, word)) continue;
    if (isThere && word.length >= INNER_CHARACTERS) rank = Math.max(rank, 3);
    else if (others.includes(` ${word}`)) rank = 4;
    else return null;
  }
  return rank;
}

function beginsWord(label: string, starts: readonly number[], word: string): boolean {
  for (const start of starts) if (label.startsWith(word, start)) return true;
  return false;
}

export type Range = [start: number, end: number];

/** The parts of a label that match the typed text. Positions in the label itself; none where folding changes its length. */
export function marksOf(label: string, text: string): Range[] {
  const folded = fold(label);
  if (folded.length !== label.length) return [];
  const starts = wordStarts(folded);
  const ranges = fold(text.trim())
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word): Range[] => {
      const start = starts.find((each) => folded.startsWith(word, each)) ?? folded.indexOf(word);
      return start < 0 ? [] : [[start, start + word.length]];
    })
    .toSorted(([a], [b]) => a - b);
  // Typed twice, marked once.
  return ranges.filter(([start], index) => index === 0 || start >= (ranges[index - 1]?.[1] ?? 0));
}

const fold = (text: string) => text.toLocaleLowerCase("en");

function wordStarts(label: string): number[] {
  const starts: number[] = [];
  for (const { index } of label.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) starts.push(index);
  return starts;
}
