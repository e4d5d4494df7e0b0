/**
 * UTF-8. Every runtime that the engine runs in has the two classes, but they belong to no ECMAScript library file and
 * the engine is compiled without DOM and Node types; hence the cast, to exactly what is used.
 */
const runtime = globalThis as unknown as {
  TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
};

const encoder = new runtime.TextEncoder();
const decoder = new runtime.TextDecoder();

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
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
