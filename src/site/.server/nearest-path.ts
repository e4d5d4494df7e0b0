/**
 * Finds the page whose path a missing address most likely means: its folders were renamed, left out or added, or letters of it
 * are wrong.
 *
 *     /docs/container-builds/docker-bake   the path  /docs/container-builds/how-to-guides/docker-bake, without a folder
 *     /docs/guides/turbo                   the only page with that name, below other folders
 *
 * Only the end of an address is read, so that an answer costs about as much for any address.
 */
import { countTypos } from "./count-typos.ts";

const MAX_PATH_LENGTH = 200;
/** The deepest page has five. */
const MAX_PARTS = 8;
/** No page has a longer name. */
const MAX_PART_LENGTH = 40;
/** Similarity of two names, by their number of wrong letters. */
const TYPOS = [1, 0.75, 0.5];
/** Similarity of a name and its beginning: `turborepo`, `turbo`. */
const BEGINNING = 0.6;
const SHORTEST_BEGINNING = 4;
/** A page is near if more than this share of the longer path is similar. */
const NEAR = 0.5;

/**
 * @param paths of pages, below `/docs`
 * @returns a function that finds the index of the nearest page; -1 if none is near
 */
export function createNearestPath(paths: readonly string[]): (path: string) => number {
  const pages = paths.map(partsOf);
  const names = [...new Set(pages.flat())].map((name) => ({ name, letters: lettersOf(name) }));
  return (path) => {
    const parts = partsOf(path);
    const alike = new Map(parts.map((part) => [part, namesAlike(part, names)]));
    const found = pages.map((page) =>
      compare(
        page,
        parts.map((part) => alike.get(part)!),
      ),
    );
    return chooseNearest(found);
  };
}

/** The names below `/docs`, in lower case; `/docs/cache/Keys.html` has `cache` and `keys`. */
export function partsOf(path: string): string[] {
  return path
    .slice(-MAX_PATH_LENGTH)
    .toLowerCase()
    .replace(/^\/docs(?=\/|$)/, "")
    .replace(/\.[a-z]{2,5}$/, "")
    .split("/")
    .filter((part) => part !== "" && part !== "index")
    .slice(-MAX_PARTS);
}

interface Name {
  name: string;
  letters: number;
}

/** The names that resemble a part of an address, each with its similarity, up to 1. */
function namesAlike(part: string, names: readonly Name[]): Map<string, number> {
  const alike = new Map<string, number>();
  if (part.length > MAX_PART_LENGTH) return alike;
  const letters = lettersOf(part);
  for (const { name, letters: others } of names) {
    const likeness = likenessOf(part, name, countBits(letters ^ others));
    if (likeness > 0) alike.set(name, likeness);
  }
  return alike;
}

/** @param others letters that only one of the two has */
function likenessOf(part: string, name: string, others: number): number {
  if (part === name) return 1;
  const shorter = Math.min(part.length, name.length);
  if (shorter < 3) return 0;
  const allowed = shorter < 5 ? 1 : TYPOS.length - 1;
  // Each wrong letter removes one letter and adds one, so most names need no table.
  const typos = others > 2 * allowed ? 0 : (TYPOS[countTypos(part, name, allowed)] ?? 0);
  const isBeginning = shorter >= SHORTEST_BEGINNING && (part.startsWith(name) || name.startsWith(part));
  return Math.max(typos, isBeginning ? BEGINNING : 0);
}

/** One bit for each letter that a name has. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) % 32);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

interface Found {
  /** The share of the longer path that is similar, in the same order. */
  share: number;
  /** Similarity of the last names. */
  end: number;
}

/** @param alike for each name of the address, the similar names of pages */
function compare(page: readonly string[], alike: readonly ReadonlyMap<string, number>[]): Found {
  if (!alike.some((names) => page.some((name) => names.has(name)))) return { share: 0, end: 0 };
  let row = Array.from({ length: page.length + 1 }, () => 0);
  for (const part of alike) {
    const next = [0];
    page.forEach((name, at) => {
      const both = row[at]! + (part.get(name) ?? 0);
      next.push(Math.max(both, row[at + 1]!, next[at]!));
    });
    row = next;
  }
  const longer = Math.max(page.length, alike.length, 1);
  return { share: row[page.length]! / longer, end: alike.at(-1)?.get(page.at(-1) ?? "") ?? 0 };
}

/** The most similar of the near pages; among equals, the page with the most similar end, then the first in the tree. */
function chooseNearest(found: readonly Found[]): number {
  const endsAlike = found.filter(({ end }) => end >= BEGINNING);
  let best = -1;
  found.forEach((each, page) => {
    const isOnlyEnd = endsAlike.length === 1 && endsAlike[0] === each;
    if (each.share <= NEAR && !isOnlyEnd) return;
    const { share, end } = found[best] ?? { share: 0, end: 0 };
    if (each.share > share || (each.share === share && each.end > end)) best = page;
  });
  return best;
}
