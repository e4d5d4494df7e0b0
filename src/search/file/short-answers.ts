/**
 * Answers to the first one or two letters that a reader types, made with the index. So few letters begin so many words
 * that searching for them takes longest and says least, and every reader types them.
 *
 *   "d" → its first hits, as the search itself orders them, and how many there are in all
 *
 * Only plain queries are answered this way (find-hits.ts); filters, sorting and facets need a full search.
 */
import type { Container, FileArray } from "./container.ts";
import { decodeUtf8 } from "./utf8.ts";

export interface ShortAnswer {
  /** Places of the hits' documents in `unitDocuments`, in the order of the hits. */
  places: FileArray;
  /** As the search gives it, 0 to 1. */
  scoreOf: (hit: number) => number;
  /** Sections that match at all. */
  total: number;
}

/** Scores are kept in 32 bits, of which the highest number stands for 1. */
export const SCORE_SCALE = 0xffff_ffff;

export function readShortAnswers(file: Container): (prefix: string) => ShortAnswer | null {
  // Not there yet while the index is being built.
  if (!file.has("short.prefixes")) return () => null;
  const json = file.bytes("short.prefixes");
  // Written by `writeShortAnswers`, proved by the file's checksum.
  const prefixes = JSON.parse(decodeUtf8(json, 0, json.length)) as string[];
  const rows = new Map(prefixes.map((prefix, row) => [prefix, row]));
  const totals = file.words("short.totals");
  const starts = file.words("short.starts");
  const places = file.numbers("short.places");
  const scores = file.words("short.scores");
  return (prefix) => {
    const row = rows.get(prefix);
    if (row === undefined) return null;
    const start = starts[row]!;
    return {
      places: places.subarray(start, starts[row + 1]),
      scoreOf: (hit) => scores[start + hit]! / SCORE_SCALE,
      total: totals[row]!,
    };
  };
}
