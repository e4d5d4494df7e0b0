import { NumberList } from "./number-list.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** Distinct strings, numbered from 0 in order of first appearance. */
export class StringTableBuilder {
  private readonly numbers = new Map<string, number>();

  add(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  finish(): { offsets: Uint32Array; bytes: Uint8Array } {
    const offsets = new NumberList();
    // Half a surrogate pair at one string's end must not join another half at the next one's beginning.
    const texts = [...this.numbers.keys()].map((text) => text.toWellFormed());
    const encoded = encodeUtf8(texts.join(""));
    let offset = 0;
    for (const text of texts) {
      offsets.push(offset);
      offset += utf8Length(text);
    }
    offsets.push(offset);
    return { offsets: offsets.view().slice(), bytes: encoded };
  }
}

export class StringTable {
  private readonly offsets: Uint32Array;
  private readonly bytes: Uint8Array;

  constructor(offsets: Uint32Array, bytes: Uint8Array) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  at(number: number): string {
    return decodeUtf8(this.bytes, this.offsets[number]!, this.offsets[number + 1]!);
  }
}

function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    // Each half of a surrogate pair counts two of its four bytes.
    else length += unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
  }
  return length;
}
