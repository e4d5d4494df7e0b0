/** The trained vectors of words, `words.table`: read, and asked for the pieces of a text. */
import { readChecked, TableError } from "./checked-file.ts";

export interface WordsTable {
  count: number;
  dimensions: number;
  /** Row `i` is `rows[i * dimensions …]` times `scales[i]`. */
  scales: Float32Array;
  rows: Int8Array;
  /** Numbers of the rows of a text's words and pieces of words; a word without a row is left out. */
  piecesOf: (text: string, most?: number) => number[];
}

const MAGIC = "MRWT";
const VERSION = 1;
/** What a table may have: about 2 MB. */
const MOST_ROWS = 14_000;
const MOST_DIMENSIONS = 128;
/** A longer word is an identifier or noise. */
const LONGEST_WORD = 40;
const MOST_PIECES = 64;

/** @throws TableError */
export function readWordsTable(bytes: Uint8Array): WordsTable {
  const { numbers, body } = readChecked(bytes, MAGIC, VERSION);
  const [count, dimensions, wordBytes] = numbers;
  if (count > MOST_ROWS || dimensions > MOST_DIMENSIONS || dimensions % 4 !== 0)
    throw new TableError(`it has ${count} × ${dimensions} numbers`);
  const end = wordBytes + 4 * count;
  if (body.length !== end + count * dimensions) throw new TableError("its head and its length differ");
  const words = new TextDecoder().decode(body.subarray(0, wordBytes)).trimEnd().split("\n");
  if (words.length !== count) throw new TableError(`it has ${words.length} words for ${count} rows`);
  // Copied, because numbers of four bytes must begin at a multiple of four.
  const scales = new Float32Array(new Uint8Array(body.subarray(wordBytes, end)).buffer);
  const rows = new Int8Array(body.buffer, body.byteOffset + end, count * dimensions);
  return { count, dimensions, scales, rows, piecesOf: createPieces(words) };
}

/** Words are cut as the encoder's own vocabulary was: the longest piece first, later pieces with `##`. */
function createPieces(words: readonly string[]): WordsTable["piecesOf"] {
  const places = new Map(words.map((word, place) => [word, place]));
  return (text, most = MOST_PIECES) => {
    const pieces: number[] = [];
    for (const [word] of fold(text).matchAll(/[a-z0-9]+/g)) {
      if (pieces.length >= most) break;
      pieces.push(...cut(word, places));
    }
    return pieces.slice(0, most);
  };
}

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function cut(word: string, places: ReadonlyMap<string, number>): number[] {
  if (word.length > LONGEST_WORD) return [];
  const pieces: number[] = [];
  for (let from = 0; from < word.length;) {
    let to = word.length;
    let place: number | undefined;
    for (; to > from; to--) {
      place = places.get((from > 0 ? "##" : "") + word.slice(from, to));
      if (place !== undefined) break;
    }
    if (place === undefined) return [];
    pieces.push(place);
    from = to;
  }
  return pieces;
}
