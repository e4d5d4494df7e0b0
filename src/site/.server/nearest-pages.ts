/**
 * Finds the pages that the reader of a missing address may have meant: the one with the nearest path, if it is near; the
 * page above it, the first one below it, and those with the most and the rarest words of the address in their own address
 * or title, each word in full, as a prefix, or with a typo. Addresses come from strangers, so only a limited part of each is
 * read.
 */
import { countTypos } from "./count-typos.ts";
import { createNearestPath } from "./nearest-path.ts";

export interface NamedPage {
  path: string;
  title: string;
  /** The tree's section. */
  section: string;
}

/** Taken from the end of the address: a page's name comes last. */
const MAX_WORDS = 6;
const MAX_PATH_LENGTH = 200;
const MAX_PAGES = 5;
/** Pages that score much lower than the best are left out. */
const WORST_SHARE = 0.4;

/** The weight of a word by where the page has it. */
const NAME_WEIGHT = 2;
const TITLE_WEIGHT = 1.5;
const FOLDER_WEIGHT = 1;
const BEGINNING = 0.7;
/** Weight of a word by its number of typos. */
const TYPOS = [1, 0.6, 0.45];
/** Score of a page above the address, for each shared folder. */
const SHARED_FOLDER = 0.6;
/** Score of the first page below the address. */
const FIRST_BELOW = 1.2;

/** A page's number and the weight of a word there. */
type Places = Map<number, number>;

/** @param pages in the order of the tree. */
export function createNearestPages(pages: readonly NamedPage[]) {
  const places = new Map<string, Places>();
  pages.forEach(({ path, title }, page) => {
    const [name = "", ...folders] = path.split("/").slice(2).toReversed();
    addWords(places, page, [
      ...wordsOf(name).map((word) => [word, NAME_WEIGHT] as const),
      ...wordsOf(title).map((word) => [word, TITLE_WEIGHT] as const),
      ...folders.flatMap(wordsOf).map((word) => [word, FOLDER_WEIGHT] as const),
    ]);
  });
  const folders = pages.map(({ path }) => `${path}/`);
  const known = Map.groupBy(places.keys(), (word) => word[0] ?? "");
  const findNearestPath = createNearestPath(pages.map((each) => each.path));

  return (path: string): NamedPage[] => {
    const scores = new Float64Array(pages.length);
    for (const word of addressWords(path)) {
      for (const [page, score] of bestPlaces(places, word, known.get(word[0] ?? "") ?? []))
        scores[page] = (scores[page] ?? 0) + score;
    }
    addNeighbours(scores, folders, path.slice(0, MAX_PATH_LENGTH));
    const best = Math.max(...scores);
    const first = findNearestPath(path);
    if (first >= 0) scores[first] = Infinity;
    return [...scores.keys()]
      .filter((page) => (scores[page] ?? 0) > 0 && (scores[page] ?? 0) >= best * WORST_SHARE)
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
      .slice(0, MAX_PAGES)
      .flatMap((page) => pages[page] ?? []);
  };
}

/** The words of an address below /docs: letters and digits only, the last ones of a long address. */
export function addressWords(path: string): string[] {
  const words = wordsOf(path.replace(/^\/docs\//, "").slice(-MAX_PATH_LENGTH));
  return [...new Set(words)].slice(-MAX_WORDS);
}

/** At most 24 letters; longer sequences are cut into several words. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{1,24}/gu) ?? [];
}

function addWords(places: Map<string, Places>, page: number, words: (readonly [string, number])[]): void {
  for (const [word, weight] of words) {
    const found = places.get(word) ?? new Map<number, number>();
    found.set(page, Math.max(found.get(page) ?? 0, weight));
    places.set(word, found);
  }
}

/** Adds the deepest page above the address and the first below it. `folders` are addresses with a slash. */
function addNeighbours(scores: Float64Array, folders: readonly string[], path: string): void {
  const folder = `${path}/`;
  let above = -1;
  folders.forEach((other, page) => {
    if (path.startsWith(other) && other.length > (folders[above]?.length ?? 0)) above = page;
  });
  const depth = (folders[above]?.split("/").length ?? 0) - 3;
  if (above >= 0) scores[above] = (scores[above] ?? 0) + depth * SHARED_FOLDER;
  const below = folders.findIndex((other) => other.startsWith(folder));
  if (below >= 0) scores[below] = (scores[below] ?? 0) + FIRST_BELOW;
}

/** For each page, the score of its word most similar to `word`; a word found in many pages counts little. */
function bestPlaces(places: Map<string, Places>, word: string, candidates: readonly string[]) {
  const scores = new Map<number, number>();
  const isKnown = places.has(word);
  for (const candidate of candidates) {
    const likeness = likenessOf(word, candidate, isKnown);
    if (likeness === 0) continue;
    const found = places.get(candidate) ?? new Map<number, number>();
    for (const [page, weight] of found) {
      const score = (likeness * weight) / Math.sqrt(found.size);
      scores.set(page, Math.max(scores.get(page) ?? 0, score));
    }
  }
  return scores;
}

/** 0 to 1. If some page has the exact word, typos are not considered. */
function likenessOf(word: string, other: string, isKnown: boolean): number {
  if (word === other) return 1;
  const shorter = Math.min(word.length, other.length);
  if (shorter < 3) return 0;
  if (word.startsWith(other) || other.startsWith(word)) return BEGINNING;
  const allowed = isKnown || shorter < 4 ? 0 : shorter === 4 ? 1 : 2;
  return allowed === 0 ? 0 : (TYPOS[countTypos(word, other, allowed)] ?? 0);
}
