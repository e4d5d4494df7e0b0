/**
 * Reads blocks of headers as HTTP/2 compresses them (RFC 7541). Each block changes the table that the next blocks refer to, so a
 * connection is read from its start and without gaps.
 */
import { decodeHuffman } from "./huffman.ts";
import { MAX_FIELD_CHARACTERS, MAX_TABLE_BYTES } from "./limits.ts";
import { STATIC_TABLE } from "./static-table.ts";
import { Unreadable } from "./unreadable.ts";

type Field = readonly [name: string, value: string];

export interface HeaderReader {
  /** @throws Unreadable; no further block can be read after that */
  read: (block: Buffer) => Field[];
}

/** RFC 7541, 4.1. */
const ENTRY_BYTES = 32;
const sizeOf = ([name, value]: Field) => name.length + value.length + ENTRY_BYTES;

export function createHeaderReader(): HeaderReader {
  const table = createTable();
  return {
    read(block) {
      const cursor = createCursor(block);
      const fields: Field[] = [];
      let left = MAX_FIELD_CHARACTERS;
      while (!cursor.isAtEnd()) {
        const field = readField(cursor, table);
        if (!field) continue;
        // One byte can represent a whole entry of the table.
        left -= sizeOf(field);
        if (left < 0) throw new Unreadable("headers are too long");
        fields.push(field);
      }
      return fields;
    },
  };
}

type Table = ReturnType<typeof createTable>;
type Cursor = ReturnType<typeof createCursor>;

/** @returns null for an update of the table's size */
function readField(cursor: Cursor, table: Table): Field | null {
  const first = cursor.peek();
  if ((first & 0x80) !== 0) return table.get(cursor.integer(7));
  if ((first & 0xe0) === 0x20) {
    table.resize(cursor.integer(5));
    return null;
  }
  const isAdded = (first & 0xc0) === 0x40;
  const index = cursor.integer(isAdded ? 6 : 4);
  const name = index === 0 ? cursor.text() : table.get(index)[0];
  const field: Field = [name, cursor.text()];
  if (isAdded) table.add(field);
  return field;
}

function createTable() {
  /** Newest first. */
  const entries: Field[] = [];
  let [bytes, most] = [0, MAX_TABLE_BYTES];
  const shrink = () => {
    while (bytes > most) bytes -= sizeOf(entries.pop() ?? ["", ""]);
  };
  return {
    get(index: number): Field {
      const found = STATIC_TABLE[index - 1] ?? entries[index - 1 - STATIC_TABLE.length];
      if (!found) throw new Unreadable(`there is no header ${index}`);
      return found;
    },
    add(field: Field): void {
      entries.unshift(field);
      bytes += sizeOf(field);
      shrink();
    },
    resize(size: number): void {
      if (size > MAX_TABLE_BYTES) throw new Unreadable("the table of headers is too large");
      most = size;
      shrink();
    },
  };
}

function createCursor(block: Buffer) {
  let at = 0;
  const next = () => {
    const byte = block[at];
    if (byte === undefined) throw new Unreadable("headers are cut off");
    at += 1;
    return byte;
  };
  /** @param bits number of bits of the first byte that belong to it */
  const integer = (bits: number): number => {
    const full = (1 << bits) - 1;
    let value = next() & full;
    if (value < full) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = next();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Unreadable("a number of headers is too large");
  };
  return {
    isAtEnd: () => at >= block.length,
    peek: () => block[at] ?? 0,
    integer,
    text(): string {
      const isPacked = ((block[at] ?? 0) & 0x80) !== 0;
      const length = integer(7);
      if (at + length > block.length) throw new Unreadable("headers are cut off");
      const part = block.subarray(at, at + length);
      at += length;
      const text = isPacked ? decodeHuffman(part) : part.toString("latin1");
      if (text === null) throw new Unreadable("a text of headers is no Huffman code");
      return text;
    },
  };
}
