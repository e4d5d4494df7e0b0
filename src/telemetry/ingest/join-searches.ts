/**
 * Letters typed one after another → the search that the reader meant, in memory.
 *
 *     t · tu · tur · turbo ──(nothing for a while)──▶ turbo
 *     turbo ──(read for 2 s)── turb · tur · c · cache ──▶ turbo, cache
 *
 * A reader is a key that lives in memory for as long as they type.
 */

/** Typing goes on when the next letter comes within this. */
export const TYPING_MS = 8000;
/** A query on which a reader rested this long before changing it was meant, too. */
export const REST_MS = 1500;
/** What is left when a query was deleted letter by letter and nothing was typed instead. */
const REMNANT_LENGTH = 3;
/** More readers than this at once: their searches are counted as they come. */
const MAX_READERS = 10_000;
/** Characters of a query that are looked at; one more says that there were more. */
const MAX_TEXT_LENGTH = 1001;

interface Pending {
  query: string;
  hits: number;
  at: number;
  /** The reader is taking letters away; what is left may be on its way to nothing. */
  isDeleting: boolean;
}

export interface SearchJoiner {
  add: (reader: string, query: string, hits: number) => void;
  /** Counts what nobody types at any more; called now and then. */
  sweep: () => void;
  /** Counts everything at once, at the end. */
  flush: () => void;
}

export function createSearchJoiner(
  count: (search: { query: string; hits: number; at: number }) => void,
  clock: () => number,
): SearchJoiner {
  const readers = new Map<string, Pending>();

  function settle(pending: Pending): void {
    if (pending.isDeleting && pending.query.length < REMNANT_LENGTH) return;
    count({ query: pending.query, hits: pending.hits, at: pending.at });
  }

  return {
    add(reader, text, hits) {
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
      const pending = { query, hits, at: now, isDeleting };
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
