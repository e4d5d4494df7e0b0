/**
 * Messages of gRPC in a stream of bytes, cut anywhere. Each has five bytes before it: whether it is compressed, and its
 * length.
 *
 *   00 00 00 00 05  h e l l o
 *
 * A message that comes in several pieces is copied into memory of its own as it comes: bytes that arrive one at a time
 * would otherwise take a hundred times their number.
 *
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { Code } from "@connectrpc/connect";
import { GrpcError } from "./grpc-error.ts";

const HEAD_BYTES = 5;

export interface MessageSplitter {
  /** After `next` has returned null. It takes memory for all of the message under way. */
  push: (chunk: Buffer) => void;
  /** The next whole message; null until more bytes have come. @throws GrpcError */
  next: () => Buffer | null;
  /** Whether bytes of a message have come whose rest is missing. */
  readonly isWithin: boolean;
  /** Bytes of the message whose head has come and whose rest is missing; 0: there is none. */
  readonly awaitedBytes: number;
}

const NOTHING = Buffer.alloc(0);

export function createMessageSplitter(maxMessageBytes: number): MessageSplitter {
  /** What has come and belongs to no message yet: of one chunk, or less than a head. */
  let rest: Buffer = NOTHING;
  /** Of the message whose head has been read. */
  let length: number | null = null;
  /** That message, and how much of it is there. */
  let message: Buffer | null = null;
  let filled = 0;

  function push(chunk: Buffer): void {
    if (length === null) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      return;
    }
    // Not of Node's pool, which would be kept as long as the message.
    message ??= Buffer.allocUnsafeSlow(length);
    if (rest.length > 0) filled += rest.copy(message);
    const copied = chunk.copy(message, filled);
    filled += copied;
    rest = chunk.subarray(copied);
  }

  function next(): Buffer | null {
    if (length === null) {
      if (rest.length < HEAD_BYTES) return null;
      length = readHead(rest, maxMessageBytes);
      rest = rest.subarray(HEAD_BYTES);
    }
    if ((message ? filled : rest.length) < length) return null;
    const whole = message ?? rest.subarray(0, length);
    if (!message) rest = rest.subarray(length);
    [length, message, filled] = [null, null, 0];
    return whole;
  }

  return {
    push,
    next,
    get isWithin() {
      return rest.length > 0 || length !== null;
    },
    get awaitedBytes() {
      return length ?? 0;
    },
  };
}

function readHead(head: Buffer, maxMessageBytes: number): number {
  if (head[0] === 1)
    throw new GrpcError(
      Code.Unimplemented,
      "this server does not accept compressed messages: turn off gRPC's own compression",
    );
  if (head[0] !== 0) throw new GrpcError(Code.InvalidArgument, "the bytes are not a gRPC message");
  const length = head.readUInt32BE(1);
  if (length > maxMessageBytes)
    throw new GrpcError(
      Code.ResourceExhausted,
      `a message can have at most ${maxMessageBytes} bytes, this one has ${length}`,
    );
  return length;
}

/** @param parts of one message, in their order */
export function frameMessage(...parts: Uint8Array[]): Buffer {
  const length = lengthOf(parts);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length);
  frame[0] = 0;
  frame.writeUInt32BE(length, 1);
  let at = HEAD_BYTES;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/**
 * A message as pieces to be sent one after the other, without being made one before. Small parts are put together; large ones
 * are not copied.
 */
export function* framePieces(parts: readonly Uint8Array[], pieceBytes: number): Generator<Uint8Array> {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(lengthOf(parts), 1);
  let gathered: Uint8Array[] = [head];
  let bytes = HEAD_BYTES;
  for (const part of parts) {
    if (bytes > 0 && bytes + part.length > pieceBytes) {
      yield Buffer.concat(gathered);
      [gathered, bytes] = [[], 0];
    }
    if (part.length < pieceBytes) {
      gathered.push(part);
      bytes += part.length;
    } else
      for (let start = 0; start < part.length; start += pieceBytes)
        yield part.subarray(start, start + pieceBytes);
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

/** In bytes, of all together. */
export const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);
