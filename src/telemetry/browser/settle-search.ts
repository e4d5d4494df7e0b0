/**
 * Answers arrive with every keystroke; only the search at which the reader stopped counts.
 *
 *   t · tu · tur · turbo ──1.5 s of nothing, or a click──▶ turbo
 */
export interface SettlingSearch {
  query: string;
  hits: number;
}

const SETTLED_MS = 1500;

interface SearchSettler<Search> {
  /** A newer search replaces the previous one. */
  add(search: Search): void;
  /** Counts a search that is still waiting: the reader has clicked, or is leaving. */
  settle(): void;
}

/** @param onSettled gets each search once; the same query twice in a row is one search. */
export function createSearchSettler<Search extends SettlingSearch>(
  onSettled: (search: Search) => void,
): SearchSettler<Search> {
  let waiting: Search | null = null;
  let last = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function settle(): void {
    clearTimeout(timer);
    const search = waiting;
    waiting = null;
    if (!search || search.query === last) return;
    last = search.query;
    onSettled(search);
  }

  return {
    add(search) {
      clearTimeout(timer);
      waiting = search;
      timer = setTimeout(settle, SETTLED_MS);
    },
    settle,
  };
}
