/**
 * The frames of one direction of an HTTP/2 connection, cut anywhere: header blocks whole, data as it arrives.
 *
 *   length, 3 | type | flags | stream, 4 | payload
 */
import { MAX_BLOCK_BYTES } from "./limits.ts";
import { Unreadable } from "./unreadable.ts";

export interface FrameReader {
  /** If absent, headers are skipped. */
  onHeaders?: (stream: number, block: Buffer) => void;
  onData: (stream: number, part: Buffer) => void;
  /** The stream has ended in this direction. */
  onEnd: (stream: number) => void;
}

const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const [DATA, HEADERS, RESET, CONTINUATION] = [0, 1, 3, 9];
const [END_STREAM, END_HEADERS, PADDED, PRIORITY] = [1, 4, 8, 0x20];
const PRIORITY_BYTES = 5;

interface Frame {
  type: number;
  flags: number;
  stream: number;
}

/** @param isClient whether this is the client's direction, which begins with a preface. @returns throws Unreadable */
export function createFrameSplitter(reader: FrameReader, isClient: boolean): (part: Buffer) => void {
  let skipped = isClient ? PREFACE_BYTES : 0;
  const head = Buffer.alloc(HEAD_BYTES);
  let headBytes = 0;
  let frame: Frame | null = null;
  /** Bytes left of the payload. */
  let left = 0;
  const blocks = createBlocks(reader);

  function end({ type, flags, stream }: Frame): void {
    frame = null;
    headBytes = 0;
    blocks.end(type, flags, stream);
    if (type === RESET || ((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0))
      reader.onEnd(stream);
  }
  return (part) => {
    let at = Math.min(skipped, part.length);
    skipped -= at;
    while (at < part.length) {
      if (!frame) {
        const copied = part.copy(head, headBytes, at, at + HEAD_BYTES - headBytes);
        headBytes += copied;
        at += copied;
        if (headBytes < HEAD_BYTES) return;
        left = head.readUIntBE(0, 3);
        frame = { type: head[3] ?? 0, flags: head[4] ?? 0, stream: head.readUInt32BE(5) & 0x7fffffff };
        if ((frame.type === DATA || frame.type === HEADERS) && (frame.flags & PADDED) !== 0)
          throw new Unreadable("a frame is padded");
      }
      const payload = part.subarray(at, at + left);
      at += payload.length;
      left -= payload.length;
      if (payload.length > 0) {
        if (frame.type === DATA) reader.onData(frame.stream, payload);
        else blocks.add(frame.type, payload);
      }
      if (left === 0) end(frame);
    }
  };
}

/** Header blocks that arrive in several frames. */
function createBlocks({ onHeaders }: FrameReader) {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipped = 0;
  const isBlock = (type: number) => type === HEADERS || type === CONTINUATION;
  return {
    add(type: number, payload: Buffer): void {
      if (!onHeaders || !isBlock(type)) return;
      bytes += payload.length;
      if (bytes > MAX_BLOCK_BYTES) throw new Unreadable("the head of a request is too long");
      // The buffer it is a slice of is reused.
      parts.push(Buffer.from(payload));
    },
    end(type: number, flags: number, stream: number): void {
      if (!onHeaders || !isBlock(type)) return;
      if (type === HEADERS) skipped = (flags & PRIORITY) === 0 ? 0 : PRIORITY_BYTES;
      if ((flags & END_HEADERS) === 0) return;
      const block = Buffer.concat(parts).subarray(skipped);
      parts = [];
      bytes = 0;
      onHeaders(stream, block);
    },
  };
}
