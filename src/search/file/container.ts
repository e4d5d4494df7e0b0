/**
 * The index file: named typed arrays in one block of bytes, opened without copying or parsing them.
 *
 *   0  "MILLRACE"            8 bytes
 *   8  format version        u32
 *  12  length of the file    u32
 *  16  checksum of the rest  u32
 *  20  length of the table   u32
 *  24  table: JSON [[name, type, offset, length], …], padded to 8
 *   …  the arrays, each at a multiple of 8
 *
 * Numbers are little-endian, as on every machine that runs this. The version is raised with every change of the
 * format or of the tokenizer's output: an index is cheap to build again, a misread one is not. When you raise it,
 * add a fixture of the former format and its reader to former-formats.ts.
 */
import { SearchError } from "../contract/types.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

export const FORMAT_VERSION = 6;

const MAGIC = "MILLRACE";
const HEADER_BYTES = 24;

export type FileArray = Uint8Array | Uint16Array | Uint32Array;

type TypeName = "u8" | "u16" | "u32";
type TableRow = [name: string, type: TypeName, offset: number, length: number];

export function writeContainer(arrays: { [name: string]: FileArray }): Uint8Array<ArrayBuffer> {
  const names = Object.keys(arrays);
  // Offsets count from the end of the table, so that they do not depend on the table's length.
  let size = 0;
  const rows = names.map((name): TableRow => {
    const array = arrays[name]!;
    const offset = size;
    size = align(size + array.byteLength);
    return [name, typeNameOf(array), offset, array.length];
  });
  const table = encodeUtf8(JSON.stringify(rows));
  const start = align(HEADER_BYTES + table.length);
  if (start + size > 0xffff_ffff) throw new SearchError("index_too_large", "An index file is at most 4 GiB.");
  const bytes = new Uint8Array(start + size);
  bytes.set(encodeUtf8(MAGIC), 0);
  bytes.set(table, HEADER_BYTES);
  rows.forEach(([name, , offset]) => {
    const array = arrays[name]!;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
  });
  const header = new DataView(bytes.buffer);
  header.setUint32(8, FORMAT_VERSION, true);
  header.setUint32(12, bytes.length, true);
  header.setUint32(20, table.length, true);
  header.setUint32(16, checksum(bytes), true);
  return bytes;
}

export interface Container {
  has(name: string): boolean;
  bytes(name: string): Uint8Array;
  /** Numbers of 8, 16 or 32 bits, whichever were written. */
  numbers(name: string): FileArray;
  words(name: string): Uint32Array;
}

/** The format of an index file, readable or not; null for other files. */
export function formatOf(given: Uint8Array): number | null {
  if (given.length < HEADER_BYTES || decodeUtf8(given, 0, MAGIC.length) !== MAGIC) return null;
  return new DataView(given.buffer, given.byteOffset, given.byteLength).getUint32(8, true);
}

/** Throws `SearchError`: `index_foreign`, `index_version`, `index_truncated` or `index_damaged`. */
export function readContainer(given: Uint8Array): Container {
  return readSections(checkFile(given, FORMAT_VERSION, checksum));
}

/** The same for a file of another format with the same header. @param checksumOf as that format has it */
export function readContainerOf(
  given: Uint8Array,
  format: number,
  checksumOf: (bytes: Uint8Array) => number = checksum,
): Container {
  return readSections(checkFile(given, format, checksumOf));
}

function readSections({ bytes, header }: { bytes: Uint8Array; header: DataView }): Container {
  const tableLength = header.getUint32(20, true);
  const start = align(HEADER_BYTES + tableLength);
  const rows = new Map<string, TableRow>();
  // The checksum has proved that this is what `writeContainer` wrote.
  const table = JSON.parse(decodeUtf8(bytes, HEADER_BYTES, HEADER_BYTES + tableLength)) as TableRow[];
  for (const row of table) rows.set(row[0], row);
  return containerOf((name) => {
    const row = rows.get(name);
    if (!row) return null;
    const place = [bytes.buffer, bytes.byteOffset + start + row[2], row[3]] as const;
    switch (row[1]) {
      case "u8":
        return new Uint8Array(...place);
      case "u16":
        return new Uint16Array(...place);
      case "u32":
        return new Uint32Array(...place);
    }
  });
}

/** The arrays as if they had been written and read, for a build that searches its own index. */
export function containerOfArrays(arrays: { [name: string]: FileArray }): Container {
  return containerOf((name) => arrays[name] ?? null);
}

function containerOf(find: (name: string) => FileArray | null): Container {
  function read(name: string): FileArray {
    const array = find(name);
    if (array) return array;
    throw new SearchError("index_damaged", `The index file has no section \`${name}\`. Build it again.`);
  }
  return {
    has: (name) => find(name) !== null,
    numbers: read,
    bytes(name) {
      const array = read(name);
      if (!(array instanceof Uint8Array)) throw wrongType(name);
      return array;
    },
    words(name) {
      const array = read(name);
      if (!(array instanceof Uint32Array)) throw wrongType(name);
      return array;
    },
  };
}

function wrongType(name: string): SearchError {
  return new SearchError(
    "index_damaged",
    `Section \`${name}\` of the index file has another type. Build it again.`,
  );
}

function checkFile(
  given: Uint8Array,
  format: number,
  checksumOf: (bytes: Uint8Array) => number,
): { bytes: Uint8Array; header: DataView } {
  const version = formatOf(given);
  if (version === null) {
    throw new SearchError("index_foreign", "This is not a search index: it does not begin with `MILLRACE`.");
  }
  if (version !== format) {
    throw new SearchError("index_version", `The index has format ${version}, not ${format}. Build it again.`);
  }
  // Typed arrays need aligned memory; a slice of a pooled buffer may not be.
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = header.getUint32(12, true);
  if (length !== bytes.length) {
    throw new SearchError(
      "index_truncated",
      `The index has ${bytes.length} bytes instead of ${length}. Build it again.`,
    );
  }
  if (header.getUint32(16, true) !== checksumOf(bytes)) {
    throw new SearchError(
      "index_damaged",
      "The index's checksum does not match its content. Build it again.",
    );
  }
  return { bytes, header };
}

function typeNameOf(array: FileArray): TypeName {
  if (array instanceof Uint8Array) return "u8";
  return array instanceof Uint16Array ? "u16" : "u32";
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

/**
 * 32 bits over everything after the checksum's own field: multiply and rotate, a word at a time, in four alternating sums,
 * so that the processor need not wait for one multiplication before the next (2 ms for 9 MB). Every step is reversible, so
 * no single changed byte goes unnoticed.
 */
function checksum(bytes: Uint8Array): number {
  const from = 20;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + from, (bytes.length - from) >>> 2);
  const whole = words.length & ~3;
  let [a, b, c, d] = [bytes.length, 1, 2, 3];
  for (let at = 0; at < whole; at += 4) {
    a = Math.imul(a ^ words[at]!, 0x9e3779b1);
    b = Math.imul(b ^ words[at + 1]!, 0x9e3779b1);
    c = Math.imul(c ^ words[at + 2]!, 0x9e3779b1);
    d = Math.imul(d ^ words[at + 3]!, 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = (b << 13) | (b >>> 19);
    c = (c << 13) | (c >>> 19);
    d = (d << 13) | (d >>> 19);
  }
  let sum = a;
  for (const lane of [b, c, d]) sum = Math.imul((sum << 13) | (sum >>> 19), 0x85ebca6b) ^ lane;
  for (let at = from + whole * 4; at < bytes.length; at++) sum = Math.imul(sum ^ bytes[at]!, 0x85ebca6b);
  return (sum ^ (sum >>> 16)) >>> 0;
}
