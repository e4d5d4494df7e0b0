import { type OpenedIndex, search } from "#search/index.ts";
import { INDEXED_ADDRESS } from "../address/site-address.ts";

/** As many as one page of the search box. */
const SHOWN_HITS = 20;

/**
 * The address of each page's best hit, in the order of the hits: the places that a reader would count among the hits that
 * the search box shows.
 * @param index whose records have the stand-in address
 * @returns `/docs/…`, with `#anchor` if the best hit is in a section
 */
export function findPages(index: OpenedIndex, query: string): string[] {
  const best = new Map<string, string>();
  for (const { document } of search(index, { q: query, limit: SHOWN_HITS }).hits) {
    const address = String(document["url"]).replace(INDEXED_ADDRESS.origin, "");
    if (!best.has(pathOf(address))) best.set(pathOf(address), address);
  }
  return [...best.values()];
}

/**
 * The place, from 1, of an answer among the found pages; 0 if it is not among them.
 * @param wanted if it has an anchor, that section must be the page's best hit
 */
export function placeOf(came: readonly string[], wanted: string): number {
  return came.findIndex((address) => (wanted.includes("#") ? address : pathOf(address)) === wanted) + 1;
}

/** The address without its anchor. */
export const pathOf = (address: string) => address.replace(/#.*/, "");
