/** Reads what a query means: which sections and pages are near its vector, and which known questions. */
import { createHash } from "node:crypto";
import { type MeantWord, type Near, openIndex, type ReadMeaning, selectHighest } from "#search/index.ts";
import { readChecked, TableError } from "./checked-file.ts";
import { type Asked, cosine, cosineAbove, type OpenVectors, openVectors, restOf, sumOf } from "./vectors.ts";
import { readWordsTable, type WordsTable } from "./words-table.ts";

/** Beside the index file. */
export const MEANING_FILE = "docs.meaning";
export const MEANING_MAGIC = "MRMN";
export const MEANING_VERSION = 1;

/** Only sections of so many of the nearest pages are compared, besides those that words have found. */
const NEAR_PAGES = 8;
const NEAR_SECTIONS = 6;
/** Of 1. Below it are questions about other things ("pizza", "tax return"), which find nothing. */
const LEAST_NEARNESS = 0.18;

/**
 * What the best section's score must reach, or nothing is found, by the share of foreign words: words of the language that the pages
 * do not have ("how to bake bread": Bake is known, bread is not). Misspelt words and names are not foreign. A query whose vector
 * is as near to a page as `KNOWN_SUBJECT` is about the pages' subject, whatever its words.
 */
const FOREIGN = [
  { share: 0.5, leastScore: 0.15 },
  { share: 0.25, leastScore: 0.07 },
];
const KNOWN_SUBJECT = 0.5;
/** What each comparison gives of the whole, 1, from where it begins to count and where it counts fully. Deviations for sections and pages. */
const SECTION = { part: 0.28, from: 1.5, to: 6 };
const PAGE = { part: 0.12, from: 0.5, to: 4 };
const QUESTION = { part: 0.6, from: 0.55, to: 1 };

const DIGEST_BYTES = 32;
/** The engine reads no more words of a query. */
const MOST_WORDS = 32;
const MOST_PIECES = 8;
/** Sections whose cosines with all others are measured. */
const SAMPLES = 40;

interface Loaded {
  table: WordsTable;
  sections: OpenVectors;
  pages: OpenVectors;
  questions: OpenVectors;
  questionPages: Uint32Array;
  weights: Float32Array;
}

/**
 * @param index the bytes of the index for which the file was built
 * @throws TableError if it was built for another one, or is cut off
 */
export function openMeaning(bytes: Uint8Array, index: Uint8Array): ReadMeaning {
  const loaded = load(bytes, index);
  const pageOf = openIndex(index).unitPages;
  const spread = measureSpread(loaded);
  const { pages, sections } = loaded;
  const unitsOf: number[][] = Array.from({ length: pages.count }, () => []);
  for (let unit = 0; unit < sections.count; unit++) unitsOf[pageOf[unit]!]!.push(unit);

  return (words) => {
    const vector = queryVector(loaded, words);
    if (!vector) return null;
    const asked = { vector, rest: restOf(vector) };
    const whole = pageNearness(loaded, asked);
    const middle = dot(spread.mean, vector);
    const least = middle + SECTION.from * spread.deviation;
    // Asked again for those that words have found.
    const known = new Float32Array(sections.count).fill(-1);
    const scoreOf = (unit: number) => {
      if (known[unit]! >= 0) return known[unit]!;
      const deviations = (cosineAbove(sections, unit, asked, least) - middle) / spread.deviation;
      return (known[unit] = share(deviations, SECTION) + whole[pageOf[unit]!]!);
    };
    return {
      units: nearUnits(whole, unitsOf, scoreOf),
      scoreOf,
      leastScore: leastScore(loaded, asked, words),
    };
  };
}

/** How near each page is, and its nearest known question. */
function pageNearness({ pages, questions, questionPages }: Loaded, asked: Asked): Float32Array {
  const best = new Float32Array(pages.count).fill(QUESTION.from);
  for (let at = 0; at < questions.count; at++) {
    const page = questionPages[at]!;
    best[page] = cosineAbove(questions, at, asked, best[page]!);
  }
  return pageScores(pages, asked.vector).map(
    (score, page) => share(score, PAGE) + share(best[page]!, QUESTION),
  );
}

function nearUnits(whole: Float32Array, unitsOf: readonly number[][], scoreOf: Near["scoreOf"]): number[] {
  const units: number[] = [];
  for (const page of selectHighest(whole, whole.length, NEAR_PAGES))
    for (const unit of unitsOf[page]!) if (scoreOf(unit) >= LEAST_NEARNESS) units.push(unit);
  return units.sort((a, b) => scoreOf(b) - scoreOf(a)).slice(0, NEAR_SECTIONS);
}

function load(bytes: Uint8Array, index: Uint8Array): Loaded {
  const { numbers, body: unaligned } = readChecked(bytes, MEANING_MAGIC, MEANING_VERSION);
  const digest = createHash("sha256").update(index).digest();
  if (!digest.equals(unaligned.subarray(0, DIGEST_BYTES)))
    throw new TableError("it was built for another index");
  const body = new Uint8Array(unaligned);
  const tableBytes = new DataView(body.buffer).getUint32(DIGEST_BYTES, true);
  const table = readWordsTable(body.subarray(body.length - tableBytes));
  const [sectionCount, pageCount, questionCount] = numbers;
  let at = DIGEST_BYTES + 4;
  const take = (length: number) => body.buffer.slice(at, (at += length));
  const scales = (count: number) => new Float32Array(take(4 * count));
  const [sectionScales, pageScales, questionScales] = numbers.map(scales) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const questionPages = new Uint32Array(take(4 * questionCount));
  const weights = scales(table.count);
  const rows = (count: number) => new Int8Array(take(count * table.dimensions));
  const open = (count: number, itsScales: Float32Array) =>
    openVectors({ count, scales: itsScales, rows: rows(count) }, table.dimensions);
  const sections = open(sectionCount, sectionScales);
  const pages = open(pageCount, pageScales);
  const questions = open(questionCount, questionScales);
  return { table, sections, pages, questions, questionPages, weights };
}

/**
 * The vector of the query's words, each as it was typed if the table has it, else as the index has it.
 * @returns null if neither has any of them but stop words: pieces of unknown words are near anything
 */
function queryVector({ table, weights }: Loaded, words: readonly MeantWord[]): Float32Array | null {
  let isKnown = false;
  const pieces = words.slice(0, MOST_WORDS).flatMap(({ typed, found, isFound, isStopWord }) => {
    const own = table.piecesOf(typed, MOST_PIECES);
    isKnown ||= !isStopWord && (isFound || own.length === 1);
    // Several pieces may be a misspelt word.
    return found !== null && own.length !== 1 ? table.piecesOf(found, MOST_PIECES) : own;
  });
  if (!isKnown || pieces.length === 0) return null;
  const vector = sumOf(
    table,
    pieces.map((piece) => [piece, weights[piece]!]),
  );
  return vector.some((value) => value !== 0) ? vector : null;
}

function leastScore({ table, pages }: Loaded, { vector }: Asked, words: readonly MeantWord[]): number {
  for (let page = 0; page < pages.count; page++) if (cosine(pages, page, vector) >= KNOWN_SUBJECT) return 0;
  const foreign = foreignShare(table, words);
  return FOREIGN.find(({ share: least }) => foreign >= least)?.leastScore ?? 0;
}

/** The share of foreign words among those that are not stop words. */
function foreignShare(table: WordsTable, words: readonly MeantWord[]): number {
  const own = words.slice(0, MOST_WORDS).filter(({ isStopWord }) => !isStopWord);
  // A misspelt word has several pieces, a name has none or several.
  const foreign = own.filter(
    ({ typed, isGuess }) => isGuess && table.piecesOf(typed, MOST_PIECES).length === 1,
  );
  return foreign.length / (own.length || 1);
}

/** In deviations from the mean of all pages. */
function pageScores(pages: OpenVectors, query: Float32Array): Float32Array {
  const scores = new Float32Array(pages.count);
  let sum = 0;
  let squares = 0;
  for (let page = 0; page < pages.count; page++) {
    const score = cosine(pages, page, query);
    scores[page] = score;
    sum += score;
    squares += score * score;
  }
  const mean = sum / pages.count;
  const deviation = Math.sqrt(Math.max(0, squares / pages.count - mean * mean)) || 1;
  for (let page = 0; page < pages.count; page++) scores[page] = (scores[page]! - mean) / deviation;
  return scores;
}

/** The mean of all sections, and how far their cosines with a text are usually spread, with some sections as the text. */
function measureSpread({ sections, table: { dimensions } }: Loaded): {
  mean: Float32Array;
  deviation: number;
} {
  const vectorOf = (row: number) => sections.rows.subarray(row * dimensions, (row + 1) * dimensions);
  const mean = new Float32Array(dimensions);
  for (let row = 0; row < sections.count; row++)
    vectorOf(row).forEach((value, at) => (mean[at]! += value / sections.count));
  let deviation = 0;
  const samples = Math.min(SAMPLES, sections.count);
  for (let sample = 0; sample < samples; sample++) {
    const text = vectorOf(Math.floor((sample * sections.count) / samples));
    const middle = dot(mean, text);
    let squares = 0;
    for (let row = 0; row < sections.count; row++) squares += (cosine(sections, row, text) - middle) ** 2;
    deviation += Math.sqrt(squares / sections.count) / samples;
  }
  return { mean, deviation: deviation || 1 };
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

function share(value: number, { part, from, to }: typeof SECTION): number {
  return part * Math.max(0, Math.min(1, (value - from) / (to - from)));
}
