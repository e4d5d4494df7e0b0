/** A growing list of bytes, for building a section of the index file. */
export class ByteList {
  private bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  length = 0;

  push(byte: number): void {
    if (this.length === this.bytes.length) this.grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) this.grow(this.length + bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Seven bits a byte, the lowest first; the top bit says that more follow. At most 32 bits. */
  pushVarint(number: number): void {
    let rest = number;
    while (rest > 127) {
      this.push((rest & 127) | 128);
      rest >>>= 7;
    }
    this.push(rest);
  }

  /** The bytes so far; a view, valid until the list grows. */
  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  private grow(least: number): void {
    const grown = new Uint8Array(Math.max(least, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Reads what `pushVarint` wrote, one number after the other. */
export class VarintReader {
  private readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  next(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number >>> 0;
    }
  }
}
