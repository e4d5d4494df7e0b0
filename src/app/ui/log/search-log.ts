import { stripAnsi } from "./ansi.ts";
import type { LogLines } from "./log-lines.ts";

export interface Match {
  /** The line's number. */
  number: number;
  /** In the line's text without colours. */
  start: number;
}

/** More are not counted. */
export const MAX_MATCHES = 10_000;
export const MAX_QUERY = 200;

interface Slice {
  /** Added to in place. */
  matches: Match[];
  /** The position of the first line that was not read. */
  next: number;
}

/** What is looked for, in small letters. */
export const normalize = (query: string) => query.slice(0, MAX_QUERY).toLowerCase();

/** Reads on from where a slice ended, until time is up. @param isOver asked after each hundred lines */
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

/** Where a text has the query, without overlaps. */
export function findIn(text: string, query: string): number[] {
  if (query === "") return [];
  const plain = stripAnsi(text);
  // Letters that become two when they are made small would move what follows.
  const lower = plain.toLowerCase();
  const searched = lower.length === plain.length ? lower : plain;
  const starts: number[] = [];
  for (let at = searched.indexOf(query); at >= 0; at = searched.indexOf(query, at + query.length)) {
    starts.push(at);
    if (starts.length >= MAX_MATCHES) break;
  }
  return starts;
}
