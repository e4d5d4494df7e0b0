/**
 * Distinct strings, numbered from 0 in order of first appearance, compressed one by one (text-codec.ts).
 *
 *   blocks   of 16 strings: the lengths of their encoded bytes as varints, then the bytes
 *   starts   block → its first byte
 */
import { ByteList, VarintReader } from "./byte-list.ts";
import type { Container, FileArray } from "./container.ts";
import { learnCodec, TextDecoding } from "./text-codec.ts";
import { encodeUtf8, Utf8Writer } from "./utf8.ts";

const BLOCK = 16;

export class StringTableBuilder {
  private readonly numbers = new Map<string, number>();

  get count(): number {
    return this.numbers.size;
  }

  add(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(text, number);
    return number;
  }

  finish(name: string): { [name: string]: FileArray } {
    const texts = [...this.numbers.keys()];
    const codec = learnCodec(texts.length, (number) => encodeUtf8(texts[number]!));
    const writer = new Utf8Writer();
    const starts = new Uint32Array(Math.ceil(texts.length / BLOCK));
    const bytes = new ByteList();
    const block = new ByteList();
    for (let from = 0; from < texts.length; from += BLOCK) {
      starts[from / BLOCK] = bytes.length;
      block.length = 0;
      for (const text of texts.slice(from, from + BLOCK)) {
        const before = block.length;
        codec.encode(writer.encode(text), block);
        bytes.pushVarint(block.length - before);
      }
      bytes.append(block.view());
    }
    return {
      [`${name}.symbols`]: codec.symbols(),
      [`${name}.starts`]: starts,
      [`${name}.count`]: Uint32Array.of(texts.length),
      [`${name}.text`]: bytes.view().slice(),
    };
  }
}

export class StringTable {
  private readonly count: number;
  private readonly starts: Uint32Array;
  private readonly bytes: Uint8Array;
  private readonly decoding: TextDecoding;

  constructor(file: Container, name: string) {
    this.count = file.words(`${name}.count`)[0]!;
    this.starts = file.words(`${name}.starts`);
    this.bytes = file.bytes(`${name}.text`);
    this.decoding = new TextDecoding(file.bytes(`${name}.symbols`));
  }

  at(number: number): string {
    const block = Math.floor(number / BLOCK);
    const reader = new VarintReader(this.bytes, this.starts[block]!);
    let before = 0;
    let length = 0;
    for (let at = block * BLOCK; at < Math.min(this.count, (block + 1) * BLOCK); at++) {
      const bytes = reader.next();
      if (at < number) before += bytes;
      else if (at === number) length = bytes;
    }
    const from = reader.at + before;
    return this.decoding.decode(this.bytes, from, from + length);
  }
}
