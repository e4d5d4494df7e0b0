import { stripAnsi } from "./ansi.ts";
import type { LogLines } from "./log-lines.ts";

export interface Match {
  /** The line's number. */
  number: number;
  /** Position in the line's text without colours. */
  start: number;
}

/** Further matches are not counted. */
export const MAX_MATCHES = 10_000;
export const MAX_QUERY = 200;

interface Slice {
  /** Extended in place. */
  matches: Match[];
  /** The position of the first unread line. */
  next: number;
}

/** The query in lower case. */
export const normalize = (query: string) => query.slice(0, MAX_QUERY).toLowerCase();

/** Continues after the last slice, until time is up. @param isOver asked after each hundred lines */
export function searchOn(log: LogLines, query: string, slice: Slice, isOver: () => boolean): Slice {
  const { matches } = slice;
  let { next } = slice;
  for (; next < log.count && matches.length < MAX_MATCHES; next++) {
    if (next % 100 === 0 && next > slice.next && isOver()) break;
    const line = log.line(next);
    if (!line) break;
    for (const start of findIn(line.text, query)) {
      matches.push({ number: line.number, start });
      if (matches.length >= MAX_MATCHES) break;
    }
  }
  return { matches, next };
}

/** Positions of the query in a text, without overlaps. */
export function findIn(text: string, query: string): number[] {
  if (query === "") return [];
  const plain = stripAnsi(text);
  // Letters that become two in lower case would move the following ones.
  const lower = plain.toLowerCase();
  const searched = lower.length === plain.length ? lower : plain;
  const starts: number[] = [];
  for (let at = searched.indexOf(query); at >= 0; at = searched.indexOf(query, at + query.length)) {
    starts.push(at);
    if (starts.length >= MAX_MATCHES) break;
  }
  return starts;
}
