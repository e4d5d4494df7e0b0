/**
 * Documents, each distinct value once. Records of one page repeat its address, titles and types: of 8.2 MB of JSON
 * of a large site 3 MB are left, and an attribute is decoded only when it is asked for.
 *
 *   shapes     [["objectID", "url", …], …]                    attribute names, JSON
 *   starts     document → first of its numbers
 *   numbers    shape, value, value, …                         value = string number * 2, + 1 if the string is JSON
 */
import type { Json, SearchDocument } from "../types.ts";
import type { Container, FileArray } from "./container.ts";
import { NumberList, packNumbers } from "./number-list.ts";
import { StringTable, StringTableBuilder } from "./string-table.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

export function writeDocuments(documents: readonly SearchDocument[]): { [name: string]: FileArray } {
  const strings = new StringTableBuilder();
  const shapes = new Map<string, number>();
  const starts = new NumberList();
  const numbers = new NumberList();
  let previousKeys = "";
  let previous: { value: Json; number: number }[] = [];
  for (const document of documents) {
    starts.push(numbers.length);
    const names = Object.keys(document);
    const key = JSON.stringify(names);
    if (!shapes.has(key)) shapes.set(key, shapes.size);
    numbers.push(shapes.get(key)!);
    // Neighbours share most of their values; comparing is cheaper than the table's hash.
    const isSameShape = key === previousKeys;
    previous = names.map((name, index) => {
      const value = document[name]!;
      const before = isSameShape ? previous[index] : undefined;
      const isSame = before !== undefined && before.value === value && typeof value !== "object";
      const number = isSame ? before.number : numberOf(value, strings);
      numbers.push(number);
      return { value, number };
    });
    previousKeys = key;
  }
  starts.push(numbers.length);
  const { offsets, bytes } = strings.finish();
  const shapeJson = `[${[...shapes.keys()].join(",")}]`;
  return {
    "documents.shapes": encodeUtf8(shapeJson),
    "documents.starts": starts.view().slice(),
    "documents.numbers": packNumbers(numbers.view().slice()),
    "documents.offsets": offsets,
    "documents.text": bytes,
  };
}

function numberOf(value: Json, strings: StringTableBuilder): number {
  return typeof value === "string" ? strings.add(value) * 2 : strings.add(JSON.stringify(value)) * 2 + 1;
}

export class DocumentStore {
  readonly count: number;
  private readonly shapes: string[][];
  private readonly starts: Uint32Array;
  private readonly numbers: Uint16Array | Uint32Array;
  private readonly strings: StringTable;

  constructor(file: Container) {
    const shapes = file.bytes("documents.shapes");
    // Written by `writeDocuments`, proved by the file's checksum.
    this.shapes = JSON.parse(decodeUtf8(shapes, 0, shapes.length)) as string[][];
    this.starts = file.words("documents.starts");
    this.numbers = file.numbers("documents.numbers");
    this.strings = new StringTable(file.words("documents.offsets"), file.bytes("documents.text"));
    this.count = this.starts.length - 1;
  }

  /** A fresh copy of a document, or of those of its top-level attributes that `isWanted` names. */
  read(id: number, isWanted?: (name: string) => boolean): SearchDocument {
    const start = this.starts[id];
    if (start === undefined || id >= this.count) throw new RangeError(`No document ${id} of ${this.count}.`);
    const names = this.shapes[this.numbers[start]!]!;
    const document: SearchDocument = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      if (!isWanted || isWanted(name)) setOwn(document, name, this.value(this.numbers[start + 1 + index]!));
    }
    return document;
  }

  private value(number: number): Json {
    const text = this.strings.at(number >>> 1);
    // Written by `JSON.stringify` of a `Json`.
    return number & 1 ? (JSON.parse(text) as Json) : text;
  }
}

/** Assignment, but for `__proto__`, which as an attribute of a document must stay one. */
function setOwn(document: SearchDocument, name: string, value: Json): void {
  if (name !== "__proto__") document[name] = value;
  else Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
}
