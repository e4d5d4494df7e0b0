/**
 * Messages of gRPC in a stream of bytes, cut anywhere. Each has five bytes before it: whether it is compressed, and its
 * length.
 *
 *   00 00 00 00 05  h e l l o
 *
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { Code } from "@connectrpc/connect";
import { GrpcError } from "./grpc-error.ts";

const HEAD_BYTES = 5;

export interface MessageSplitter {
  push: (chunk: Buffer) => void;
  /** The next whole message; null until more bytes have come. @throws GrpcError */
  next: () => Buffer | null;
  /** Whether bytes of a message have come whose rest is missing. */
  readonly isWithin: boolean;
}

export function createMessageSplitter(maxMessageBytes: number): MessageSplitter {
  let chunks: Buffer[] = [];
  let held = 0;
  /** Of the message whose head has been read. */
  let length: number | null = null;

  /** The next bytes, copied only when they came in several pieces. */
  function take(count: number): Buffer {
    const [first] = chunks;
    const joined = first && first.length >= count ? first : Buffer.concat(chunks);
    const rest = joined.subarray(count);
    const others = joined === first ? chunks.slice(1) : [];
    chunks = rest.length > 0 ? [rest, ...others] : others;
    held -= count;
    return joined.subarray(0, count);
  }

  return {
    push(chunk) {
      if (chunk.length === 0) return;
      chunks.push(chunk);
      held += chunk.length;
    },
    next() {
      if (length === null) {
        if (held < HEAD_BYTES) return null;
        length = readHead(take(HEAD_BYTES), maxMessageBytes);
      }
      if (held < length) return null;
      const message = take(length);
      length = null;
      return message;
    },
    get isWithin() {
      return held > 0 || length !== null;
    },
  };
}

function readHead(head: Buffer, maxMessageBytes: number): number {
  if (head[0] === 1)
    throw new GrpcError(
      Code.Unimplemented,
      "this server takes no compressed messages: turn gRPC's own compression off",
    );
  if (head[0] !== 0) throw new GrpcError(Code.InvalidArgument, "the bytes are not those of a gRPC message");
  const length = head.readUInt32BE(1);
  if (length > maxMessageBytes)
    throw new GrpcError(
      Code.ResourceExhausted,
      `a message has at most ${maxMessageBytes} bytes, this one ${length}`,
    );
  return length;
}

/** @param parts of one message, in their order */
export function frameMessage(...parts: Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
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
