/**
 * UTF-8. Every runtime that the engine runs in has the two classes, but they belong to no ECMAScript library file and
 * the engine is compiled without DOM and Node types; hence the cast, to exactly the members that are used.
 */
const runtime = globalThis as unknown as {
  TextEncoder: new () => {
    encode(text: string): Uint8Array<ArrayBuffer>;
    encodeInto(text: string, bytes: Uint8Array): { written: number };
  };
  TextDecoder: new (
    label?: string,
    options?: { ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array): string };
};

const encoder = new runtime.TextEncoder();
// A byte order mark at the beginning of a text is a part of it.
const decoder = new runtime.TextDecoder("utf-8", { ignoreBOM: true });

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Encodes many texts, one after the other, into the same memory. */
export class Utf8Writer {
  private scratch = new Uint8Array(4096);

  /** A view, valid until the next call. */
  encode(text: string): Uint8Array {
    if (text.length * 3 > this.scratch.length) this.scratch = new Uint8Array(text.length * 6);
    const { scratch } = this;
    if (text.length > 64) return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
      scratch[at] = unit;
    }
    return scratch.subarray(0, text.length);
  }
}

/** The text of `bytes[from, to)`. Short plain ASCII, which is most of an index, is faster without the decoder. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 24) return decoder.decode(bytes.subarray(from, to));
  let text = "";
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte > 127) return decoder.decode(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}
