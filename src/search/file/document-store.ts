/**
 * Documents, each distinct text once and compressed, each value that the document before has too as one bit. Records
 * of one page repeat its address, titles and types: 8.2 MB of JSON of a large site become 1.5 MB, and a text is
 * decoded only on request.
 *
 *   shapes   [["objectID", "url", …], …]          attribute names, JSON
 *   rows     in blocks of 16 documents; a row is
 *            its shape, a bit per value that is the same as before (only if the shape is), the other values
 *   value    number << 3 | kind << 1 | 1 if the text is JSON
 *   kind     0  the next new text      2  text `number`
 *            1  the text `number` back from the next new one      3  the whole number `number` itself
 */
import { setOwn } from "../contract/own-properties.ts";
import type { Json, SearchDocument } from "../contract/types.ts";
import { ByteList, VarintReader } from "./byte-list.ts";
import type { Container, FileArray } from "./container.ts";
import { NumberList } from "./number-list.ts";
import { StringTable, StringTableBuilder } from "./string-table.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const BLOCK = 16;

const Kind = { new: 0, back: 1, text: 2, whole: 3 } as const;

/** Whole numbers that stand for themselves: with three bits for their kind they fit in 32. */
const WHOLE_NUMBERS = 2 ** 28;

/** A value as a row has it: `text * 4`, `text * 4 + 1` for JSON, `whole * 4 + 2`. */
type Value = number;

export function writeDocuments(documents: readonly SearchDocument[]): { [name: string]: FileArray } {
  const strings = new StringTableBuilder();
  const shapes = new Map<string, number>();
  const rows = new ByteList();
  const blockStarts = new NumberList();
  const blockTexts = new NumberList();
  let before: Row | null = null;
  documents.forEach((document, id) => {
    if (id % BLOCK === 0) {
      blockStarts.push(rows.length);
      blockTexts.push(strings.count);
      before = null;
    }
    const names = Object.keys(document);
    const key = JSON.stringify(names);
    if (!shapes.has(key)) shapes.set(key, shapes.size);
    before = writeRow(rows, { shape: shapes.get(key)!, document, names, before, strings });
  });
  return {
    "documents.shapes": encodeUtf8(`[${[...shapes.keys()].join(",")}]`),
    "documents.count": Uint32Array.of(documents.length),
    "documents.rows": rows.view().slice(),
    "documents.blockStarts": blockStarts.view().slice(),
    "documents.blockTexts": blockTexts.view().slice(),
    ...strings.finish("documents.strings"),
  };
}

interface Row {
  shape: number;
  given: readonly Json[];
  values: readonly Value[];
}

interface RowSource {
  shape: number;
  document: SearchDocument;
  names: readonly string[];
  before: Row | null;
  strings: StringTableBuilder;
}

function writeRow(rows: ByteList, { shape, document, names, before, strings }: RowSource): Row {
  rows.pushVarint(shape);
  const given = names.map((name) => document[name]!);
  const alike = before?.shape === shape ? before : null;
  // Objects may have changed inside; texts and numbers are cheaper to compare than to look up.
  const isSame = given.map(
    (value, at) => alike !== null && alike.given[at] === value && typeof value !== "object",
  );
  if (alike) {
    for (let from = 0; from < names.length; from += 8) {
      let bits = 0;
      for (let at = from; at < Math.min(names.length, from + 8); at++)
        if (isSame[at]) bits |= 1 << (at - from);
      rows.push(bits);
    }
  }
  const values = given.map((value, at) =>
    isSame[at] ? alike!.values[at]! : writeValue(rows, value, strings),
  );
  return { shape, given, values };
}

function writeValue(rows: ByteList, value: Json, strings: StringTableBuilder): Value {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < WHOLE_NUMBERS) {
    rows.pushVarint(value * 8 + Kind.whole * 2);
    return value * 4 + 2;
  }
  const next = strings.count;
  const isJson = typeof value === "string" ? 0 : 1;
  const text = strings.add(typeof value === "string" ? value : JSON.stringify(value));
  const back = next - text;
  if (back === 0) rows.pushVarint(Kind.new * 2 + isJson);
  else if (back < text) rows.pushVarint(back * 8 + Kind.back * 2 + isJson);
  else rows.pushVarint(text * 8 + Kind.text * 2 + isJson);
  return text * 4 + isJson;
}

interface Cursor {
  reader: VarintReader;
  /** The document whose shape and values these are. */
  row: number;
  shape: number;
  values: Value[];
  /** The number of the next new text. */
  nextText: number;
}

export class DocumentStore {
  readonly count: number;
  private readonly shapes: string[][];
  private readonly rows: Uint8Array;
  private readonly blockStarts: Uint32Array;
  private readonly blockTexts: Uint32Array;
  private readonly strings: StringTable;
  /** The place where the last read stopped, so that reading all documents reads every row only once. */
  private readonly cursor: Cursor;

  constructor(file: Container) {
    const shapes = file.bytes("documents.shapes");
    // Written by `writeDocuments`, proved by the file's checksum.
    this.shapes = JSON.parse(decodeUtf8(shapes, 0, shapes.length)) as string[][];
    this.count = file.words("documents.count")[0]!;
    this.rows = file.bytes("documents.rows");
    this.blockStarts = file.words("documents.blockStarts");
    this.blockTexts = file.words("documents.blockTexts");
    this.strings = new StringTable(file, "documents.strings");
    this.cursor = { reader: new VarintReader(this.rows, 0), row: -1, shape: -1, values: [], nextText: 0 };
  }

  /** A fresh copy of a document, or of those of its top-level attributes that `isWanted` names. */
  read(id: number, isWanted?: (name: string) => boolean): SearchDocument {
    if (!Number.isInteger(id) || id < 0 || id >= this.count)
      throw new RangeError(`No document ${id} of ${this.count}.`);
    const { shape, values } = this.moveTo(id);
    const names = this.shapes[shape]!;
    const document: SearchDocument = {};
    for (let at = 0; at < names.length; at++) {
      const name = names[at]!;
      if (!isWanted || isWanted(name)) setOwn(document, name, this.valueOf(values[at]!));
    }
    return document;
  }

  private valueOf(value: Value): Json {
    if (value & 2) return value >>> 2;
    const text = this.strings.at(value >>> 2);
    // Written by `JSON.stringify` of a `Json`.
    return value & 1 ? (JSON.parse(text) as Json) : text;
  }

  /** Also reads the rows before it in its block, whose values it may repeat. */
  private moveTo(id: number): Cursor {
    const { cursor } = this;
    const block = Math.floor(id / BLOCK);
    if (cursor.row > id || cursor.row < block * BLOCK) {
      cursor.reader.at = this.blockStarts[block]!;
      cursor.nextText = this.blockTexts[block]!;
      cursor.row = block * BLOCK - 1;
      cursor.shape = -1;
    }
    while (cursor.row < id) {
      this.readRow(cursor);
      cursor.row++;
    }
    return cursor;
  }

  private readRow(cursor: Cursor): void {
    const { reader } = cursor;
    const shape = reader.next();
    const count = this.shapes[shape]!.length;
    let bitsAt = reader.at;
    if (shape !== cursor.shape) {
      cursor.shape = shape;
      cursor.values.length = count;
      for (let at = 0; at < count; at++) cursor.values[at] = readValue(reader.next(), cursor);
      return;
    }
    reader.at += Math.ceil(count / 8);
    for (let from = 0; from < count; from += 8) {
      // A set bit is a value that stays the same; bits beyond the last value are unused.
      let changed = ~this.rows[bitsAt++]! & (count - from < 8 ? (1 << (count - from)) - 1 : 255);
      for (; changed !== 0; changed &= changed - 1) {
        cursor.values[from + 31 - Math.clz32(changed & -changed)] = readValue(reader.next(), cursor);
      }
    }
  }
}

function readValue(code: number, texts: { nextText: number }): Value {
  const number = code >>> 3;
  const isJson = code & 1;
  switch ((code >>> 1) & 3) {
    case Kind.new:
      return texts.nextText++ * 4 + isJson;
    case Kind.back:
      return (texts.nextText - number) * 4 + isJson;
    case Kind.text:
      return number * 4 + isJson;
    default:
      return number * 4 + 2;
  }
}
