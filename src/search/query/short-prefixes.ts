/**
 * Answers to the first one or two letters that a reader types, made with the index. So few letters begin so many words
 * that merging their postings would be the slowest search of all, for the least information.
 *
 *   "d" → its best sections in the order of the first stage, their scores, and how many there are in all
 */
import { packNumbers } from "../file/number-list.ts";
import { decodeUtf8, encodeUtf8 } from "../file/utf8.ts";
import type { Container, FileArray } from "../file/container.ts";
import { SHORT_PREFIX_KEPT, SHORT_PREFIX_LETTERS, SHORT_PREFIX_POSTINGS } from "../limits.ts";
import type { OpenedIndex } from "../open-index.ts";
import { selectBest } from "../rank/select.ts";
import { matchWord } from "./word-matches.ts";

export interface ShortPrefix {
  units: Uint32Array;
  /** Impact times weight, 0 to 255. */
  scores: Float32Array;
  /** Units that have a completion at all. */
  total: number;
}

interface Row {
  prefix: string;
  total: number;
  start: number;
  count: number;
}

/** Scores are kept in 16 bits, of which the highest stands for 255. */
const SCORE_SCALE = 0xffff / 255;

export function writeShortPrefixes(index: OpenedIndex): { [name: string]: FileArray } {
  const rows: Row[] = [];
  const units: number[] = [];
  const scores: number[] = [];
  for (const prefix of frequentPrefixes(index)) {
    const matches = matchWord(index, prefix, {
      isPrefix: true,
      isLiteral: false,
      hasTypos: true,
      limits: null,
    });
    const best = selectBest(matches.units.length, SHORT_PREFIX_KEPT, (a, b) => {
      const [left, right] = [
        Math.round(matches.scores[a]! * SCORE_SCALE),
        Math.round(matches.scores[b]! * SCORE_SCALE),
      ];
      return left > right || (left === right && matches.units[a]! < matches.units[b]!);
    });
    rows.push({ prefix, total: matches.units.length, start: units.length, count: best.length });
    for (const at of best) {
      units.push(matches.units[at]!);
      scores.push(Math.round(matches.scores[at]! * SCORE_SCALE));
    }
  }
  return {
    "short.rows": encodeUtf8(JSON.stringify(rows)),
    "short.units": packNumbers(Uint32Array.from(units)),
    "short.scores": packNumbers(Uint32Array.from(scores)),
  };
}

function frequentPrefixes(index: OpenedIndex): string[] {
  const { dictionary, postingStarts } = index;
  const prefixes: string[] = [];
  for (let letters = 1; letters <= SHORT_PREFIX_LETTERS; letters++) {
    for (let term = 0; term < dictionary.count;) {
      const prefix = dictionary.term(term).slice(0, letters);
      const { from, to } = dictionary.prefixRange(prefix);
      const isWhole = prefix.length === letters && prefix.isWellFormed();
      if (isWhole && postingStarts[to]! - postingStarts[from]! >= SHORT_PREFIX_POSTINGS)
        prefixes.push(prefix);
      term = Math.max(to, term + 1);
    }
  }
  return prefixes;
}

export function readShortPrefixes(file: Container): (prefix: string) => ShortPrefix | null {
  // Absent while the index is being built.
  if (!file.has("short.rows")) return () => null;
  const json = file.bytes("short.rows");
  // Written by `writeShortPrefixes`, proved by the file's checksum.
  const rows = new Map(
    (JSON.parse(decodeUtf8(json, 0, json.length)) as Row[]).map((row) => [row.prefix, row]),
  );
  const units = file.numbers("short.units");
  const scores = file.numbers("short.scores");
  return (prefix) => {
    const row = rows.get(prefix);
    if (!row) return null;
    const end = row.start + row.count;
    return {
      units: Uint32Array.from(units.subarray(row.start, end)),
      scores: Float32Array.from(scores.subarray(row.start, end), (score) => score / SCORE_SCALE),
      total: row.total,
    };
  };
}
