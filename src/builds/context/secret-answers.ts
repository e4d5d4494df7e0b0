/**
 * A client's answer to a builder's request for a secret: one gRPC message, `GetSecretResponse`, whose only field is the value.
 *
 * https://github.com/moby/buildkit/blob/master/session/secrets/secrets.proto
 */
import { Code } from "@connectrpc/connect";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { createMessageSplitter, type MessageSplitter } from "#platform/grpc/split-messages.ts";
import { MAX_ANSWERS, MAX_AWAITED_BYTES, MAX_SECRET_BYTES } from "./limits.ts";
import { Unreadable } from "./unreadable.ts";

const DATA = 1;
/** Tag and length of the value. */
const MAX_HEAD_BYTES = 16;

export interface SecretAnswers {
  /** A builder has requested a secret. */
  open: (stream: number) => void;
  /** @throws Unreadable; another Error for the client: from `onSecret`, or when the answer is too large to be masked */
  push: (stream: number, part: Buffer) => void;
  close: (stream: number) => void;
  end: () => void;
}

export function createSecretAnswers(onSecret: (value: Uint8Array) => void): SecretAnswers {
  const open = new Map<number, MessageSplitter>();
  let awaited = 0;
  const close = (stream: number) => {
    awaited -= open.get(stream)?.awaitedBytes ?? 0;
    open.delete(stream);
  };
  return {
    open(stream) {
      if (open.size >= MAX_ANSWERS) throw new Unreadable("too many secrets are asked for at once");
      open.set(stream, createMessageSplitter(MAX_SECRET_BYTES + MAX_HEAD_BYTES));
    },
    push(stream, part) {
      const answer = open.get(stream);
      if (!answer) return;
      awaited -= answer.awaitedBytes;
      // The buffer it is a slice of is reused.
      answer.push(Buffer.from(part));
      for (let message = readNext(answer); message; message = readNext(answer)) onSecret(readValue(message));
      awaited += answer.awaitedBytes;
      if (awaited > MAX_AWAITED_BYTES) throw new Error("The build asks for too many large secrets at once.");
    },
    close,
    end: () => open.clear(),
  };
}

function readNext(answer: MessageSplitter): Buffer | null {
  try {
    return answer.next();
  } catch (cause) {
    if (!(cause instanceof GrpcError)) throw cause;
    if (cause.code !== Code.ResourceExhausted) throw new Unreadable(cause.message, { cause });
    throw new Error(`A secret can have at most ${MAX_SECRET_BYTES / 1024} KB.`, { cause });
  }
}

function readValue(message: Buffer): Uint8Array {
  try {
    let value: Uint8Array = new Uint8Array();
    for (const reader = new BinaryReader(message); reader.pos < reader.len;) {
      const [field, type] = reader.tag();
      if (field === DATA && type === WireType.LengthDelimited) value = reader.bytes();
      else reader.skip(type, field);
    }
    return value;
  } catch (cause) {
    throw new Unreadable("a secret cannot be read", { cause });
  }
}
