/**
 * gRPC messages in a stream of bytes, split anywhere. Each has a head of five bytes: whether it is compressed, and its length.
 *
 *   00 00 00 00 05  h e l l o
 *
 * A message that arrives in several pieces is copied into its own memory as it arrives: bytes that arrive one at a time would
 * otherwise take a hundred times their number.
 *
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { Code } from "@connectrpc/connect";
import { GrpcError } from "./grpc-error.ts";

const HEAD_BYTES = 5;

export interface MessageSplitter {
  /** Call after `next` has returned null. Allocates memory for the whole incoming message. */
  push: (chunk: Buffer) => void;
  /** The next whole message; null until more bytes arrive. @throws GrpcError */
  next: () => Buffer | null;
  /** Whether a message is incomplete. */
  readonly isWithin: boolean;
  /** Size of an incomplete message whose head has arrived; 0: none. */
  readonly awaitedBytes: number;
}

const NOTHING = Buffer.alloc(0);

export function createMessageSplitter(maxMessageBytes: number): MessageSplitter {
  /** Bytes that belong to no message yet: from one chunk, or less than a head. */
  let rest: Buffer = NOTHING;
  /** Length of the message whose head has been read. */
  let length: number | null = null;
  /** That message, and its bytes so far. */
  let message: Buffer | null = null;
  let filled = 0;

  function push(chunk: Buffer): void {
    if (length === null) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      return;
    }
    // Not from Node's pool, which would stay in memory as long as the message.
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

/** @param parts of one message, in order */
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

/** A message as pieces to be sent in sequence, without joining it first. Small parts are joined; large parts are not copied. */
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

/** Total bytes. */
export const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);
