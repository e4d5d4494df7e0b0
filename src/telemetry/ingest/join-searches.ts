/**
 * Letters typed one after another → the search that the reader meant, in memory.
 *
 *     t · tu · tur · turbo ──(nothing for a while)──▶ turbo
 *     turbo ──(read for 2 s)── turb · tur · c · cache ──▶ turbo, cache
 *
 * A reader is a key that exists in memory only while they type.
 */

/** A pause up to this long is still the same typing. */
export const TYPING_MS = 8000;
/** A query that stayed this long before a change also counts as a search. */
export const REST_MS = 1500;
/** Remnants up to this length are left over from deleting a query letter by letter. */
const REMNANT_LENGTH = 3;
/** With more simultaneous readers than this, searches are counted as they arrive. */
const MAX_READERS = 10_000;
/** Characters of a query that are compared; one more shows that it was cut. */
const MAX_TEXT_LENGTH = 1001;

interface Pending {
  query: string;
  hits: number;
  at: number;
  address: string | null;
  /** The reader is deleting letters; what is left may be a remnant. */
  isDeleting: boolean;
}

export interface SearchJoiner {
  /** @param address for limiting what one sender may add to a day's words; null when it is not known */
  add: (reader: string, search: { query: string; hits: number; address: string | null }) => void;
  /** Counts searches that are no longer being typed; called regularly. */
  sweep: () => void;
  /** Counts everything immediately, at the end. */
  flush: () => void;
}

export function createSearchJoiner(
  count: (search: { query: string; hits: number; at: number; address: string | null }) => void,
  clock: () => number,
): SearchJoiner {
  const readers = new Map<string, Pending>();

  function settle(pending: Pending): void {
    if (pending.isDeleting && pending.query.length < REMNANT_LENGTH) return;
    const { query, hits, at, address } = pending;
    count({ query, hits, at, address });
  }

  return {
    add(reader, { query: text, hits, address }) {
      const query = text.slice(0, MAX_TEXT_LENGTH).trim().replaceAll(/\s+/g, " ");
      const now = clock();
      const former = readers.get(reader);
      if (former && isSame(former.query, query)) {
        readers.set(reader, { ...former, query, hits, at: now });
        return;
      }
      const rested = former ? now - former.at : 0;
      const isExtended = former !== undefined && startsWith(query, former.query) && rested < TYPING_MS;
      if (former && !isExtended && rested >= REST_MS) settle(former);
      readers.delete(reader);
      if (query === "") return;
      const isDeleting = former !== undefined && startsWith(former.query, query);
      const pending = { query, hits, at: now, address, isDeleting };
      if (readers.size < MAX_READERS) readers.set(reader, pending);
      else settle(pending);
    },
    sweep() {
      const now = clock();
      for (const [reader, pending] of readers) {
        if (now - pending.at < TYPING_MS) continue;
        readers.delete(reader);
        settle(pending);
      }
    },
    flush() {
      for (const pending of readers.values()) settle(pending);
      readers.clear();
    },
  };
}

const startsWith = (text: string, start: string) => text.toLowerCase().startsWith(start.toLowerCase());
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
