/**
 * A session's content: gRPC messages of BuildKit's `BytesMessage`, whose only field is a part of a connection.
 *
 *   00 | length of the message, 4 | 0a | length of the data, varint | data
 */
import { Unreadable } from "./unreadable.ts";

const HEAD_BYTES = 5;
const DATA_TAG = 0x0a;
/**
 * Headers take longer to read than data. A client that sends files does not send this many bytes of headers, and more than one byte
 * in ten.
 */
const MIN_HEAD_BYTES = 1_000_000;
const MAX_HEAD_SHARE = 10;
/** The varint of a 32-bit length. */
const MAX_VARINT_BYTES = 5;

/** @returns takes parts that are cut anywhere; throws Unreadable */
export function createBytesUnwrapper(onBytes: (part: Buffer) => void): (chunk: Buffer) => void {
  const head = createHead();
  /** Bytes left of the data; 0: a header is being read. */
  let left = 0;
  let [bytes, heads] = [0, 0];
  return (chunk) => {
    bytes += chunk.length;
    for (let at = 0; at < chunk.length;) {
      if (left === 0) {
        left = head.take(chunk[at] ?? 0);
        at += 1;
        heads += left === 0 ? 1 : 0;
        continue;
      }
      const part = chunk.subarray(at, at + left);
      left -= part.length;
      at += part.length;
      onBytes(part);
    }
    if (heads > MIN_HEAD_BYTES && heads * MAX_HEAD_SHARE > bytes)
      throw new Unreadable("a session has little but heads of messages");
  };
}

/** Byte by byte, without allocating for each: there may be a header for every few bytes. */
function createHead() {
  let [bytes, message, data] = [0, 0, 0];
  const finish = (length: number) => {
    [bytes, message, data] = [0, 0, 0];
    return length;
  };
  return {
    /** @returns the length of the data; 0 if there is none, or if the header is incomplete */
    take(byte: number): number {
      bytes += 1;
      if (bytes === 1 && byte !== 0) throw new Unreadable("a message is compressed");
      if (bytes <= HEAD_BYTES) {
        message = message * 256 + byte;
        return bytes === HEAD_BYTES && message === 0 ? finish(0) : 0;
      }
      if (bytes === HEAD_BYTES + 1) {
        if (byte !== DATA_TAG) throw new Unreadable("a message has a field besides its data");
        return 0;
      }
      const digits = bytes - HEAD_BYTES - 1;
      data += (byte & 0x7f) * 2 ** (7 * (digits - 1));
      if (byte >= 0x80) {
        if (digits >= MAX_VARINT_BYTES) throw new Unreadable("a length is too long");
        return 0;
      }
      if (data + digits + 1 !== message) throw new Unreadable("a message has more than its data");
      return finish(data);
    },
  };
}
