import { useEffect, useRef, useState } from "react";
import type { LogLines } from "./log-lines.ts";
import { MAX_MATCHES, type Match, normalize, searchOn } from "./search-log.ts";

/** Milliseconds of reading in one go: the page works in between. */
const SLICE_MS = 8;

export interface LogSearch {
  /** As typed. */
  text: string;
  setText: (text: string) => void;
  /** In lower case; "" without a search. */
  query: string;
  count: number;
  /** From 0; -1 when there is none. */
  index: number;
  current: Match | undefined;
  /** Lines with a match are opened because of these. */
  matches: readonly Match[];
  /** @returns the new current match */
  move: (by: 1 | -1) => Match | undefined;
}

/** Reads the log in slices, and new lines as they arrive. */
export function useLogSearch(log: LogLines): LogSearch {
  const lines = log.count;
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const query = normalize(text);
  const slice = useRef<{ query: string; matches: Match[]; next: number }>({
    query: "",
    matches: [],
    next: 0,
  });
  useEffect(() => {
    if (slice.current.query !== query) slice.current = { query, matches: [], next: 0 };
    if (query === "") return;
    let timer = 0;
    const read = () => {
      const end = performance.now() + SLICE_MS;
      const next = searchOn(log, query, slice.current, () => performance.now() > end);
      slice.current = { query, ...next };
      setMatches([...next.matches]);
      if (next.next < lines && next.matches.length < MAX_MATCHES) timer = window.setTimeout(read);
    };
    timer = window.setTimeout(read);
    return () => clearTimeout(timer);
  }, [log, lines, query]);
  const found = query === "" ? [] : matches;
  const at = found.length === 0 ? -1 : Math.min(index, found.length - 1);
  return {
    text,
    query,
    setText: (next) => {
      setText(next);
      setIndex(0);
      setMatches([]);
    },
    count: found.length,
    index: at,
    current: found[at],
    matches: found,
    move: (by) => {
      if (found.length === 0) return undefined;
      const next = (at + by + found.length) % found.length;
      setIndex(next);
      return found[next];
    },
  };
}
