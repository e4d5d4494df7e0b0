/** Methods of gRPC that are answered without a library, and the steps of each call. */
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { create, type DescMessage, mergeFromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Code } from "@connectrpc/connect";
import { COSTS } from "../fair/limits.ts";
import { workGate } from "../fair/work-gate.ts";
import type { Log } from "../log/log.ts";
import { createFieldCounter, decodeCounted, decodeKnownFields, FIELD_BYTES } from "./count-fields.ts";
import { TooManyFieldsError } from "./field-counter.ts";
import { GrpcError } from "./grpc-error.ts";
import { createMessageRoom, FREE_BYTES, NoRoomError } from "./message-room.ts";
import type { CallRooms } from "./call-places.ts";
import type { CallInfo } from "./call-info.ts";
import { CallOverError } from "./call-waits.ts";
import { RawCall } from "./raw-call.ts";
import { lengthOf } from "./split-messages.ts";

/**
 * Bytes of large messages in transit in the whole process, and of answers that wait for their readers. Seven concurrent calls
 * with a batch of 4.5 MB each keep two cores and a disk busy; all requests that one address may have would take 2.3 GB.
 */
const MESSAGE_BYTES = 32 * 1024 * 1024;
const ANSWER_BYTES = 64 * 1024 * 1024;
/** Memory of decoded messages. */
const OBJECT_BYTES = 128 * 1024 * 1024;
/** Milliseconds that a call waits for memory; build tools retry. */
const ROOM_WAIT_MS = 20_000;

/** Answers the call completely. @throws GrpcError, CallOverError */
export type RawMethod<Caller> = (call: RawCall, caller: Caller) => Promise<void>;

export interface RawServices<Caller> {
  /** By path: `/google.bytestream.ByteStream/Read`. */
  methods: ReadonlyMap<string, RawMethod<Caller>>;
  /** Identifies the caller, before the body is read. @throws GrpcError */
  admit: (call: RawCall) => Promise<Caller>;
  maxMessageBytes: number;
  /** The client's view of the services' errors; undefined for unexpected errors. */
  translate: (error: unknown) => GrpcError | undefined;
  log: Log;
  /** Default: those of production. */
  rooms?: CallRooms;
}

const createCallRooms = (): CallRooms => ({
  messages: createMessageRoom({ bytes: MESSAGE_BYTES, waitMs: ROOM_WAIT_MS }),
  objects: createMessageRoom({ bytes: OBJECT_BYTES, waitMs: ROOM_WAIT_MS }),
  answers: createMessageRoom({ bytes: ANSWER_BYTES, waitMs: ROOM_WAIT_MS }),
});

/** Answers a call of one of the methods. @returns false for other paths */
export type AnswerRawCall = (
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  info: Omit<CallInfo, "maxMessageBytes" | "rooms">,
) => boolean;

export function createRawHandler<Caller>(services: RawServices<Caller>): AnswerRawCall {
  const { methods, maxMessageBytes, rooms = createCallRooms() } = services;
  return (request, response, info) => {
    const method = methods.get(info.path);
    if (!method) return false;
    const call = new RawCall(request, response, { ...info, maxMessageBytes, rooms });
    void answer(services, call, method);
    return true;
  };
}

async function answer<Caller>(
  { admit, translate, log }: RawServices<Caller>,
  call: RawCall,
  method: RawMethod<Caller>,
): Promise<void> {
  try {
    call.startDeadline();
    const caller = await admit(call);
    await method(call, caller);
  } catch (error) {
    if (error instanceof CallOverError) return;
    const expected = asGrpcError(error) ?? translate(error);
    if (!expected) log.error(`${call.info.path} failed:`, { error });
    call.fail(expected ?? new GrpcError(Code.Internal, unexpected(call.info.requestId)));
  } finally {
    call.endMethod();
  }
}

function asGrpcError(error: unknown): GrpcError | undefined {
  if (error instanceof NoRoomError)
    return new GrpcError(Code.ResourceExhausted, error.message, { cause: error });
  return error instanceof GrpcError ? error : undefined;
}

const unexpected = (requestId: string) =>
  `Something went wrong on our side. The server's log explains it under ${requestId}.`;

/**
 * A method with one request message and one response message.
 * @param run returns the answer, encoded or not; parts are sent as the reader takes them
 * @param decode receives bytes that have been counted
 */
export function unary<Input extends DescMessage, Output extends DescMessage, Caller>(
  { input, output }: { input: Input; output: Output },
  run: (
    request: MessageShape<Input>,
    caller: Caller,
    call: RawCall,
  ) => Promise<MessageShape<Output> | Uint8Array | Uint8Array[]>,
  decode: typeof decodeKnownFields<Input> = decodeKnownFields,
): RawMethod<Caller> {
  // A separate function, so that its locals are free when it returns.
  const answerOf = async (call: RawCall, caller: Caller): Promise<Uint8Array[]> => {
    const message = await call.readOnly();
    const fields = await countInTurns(input, message, call);
    workGate.charge(call.holder, (fields / 1_000) * COSTS.thousandFields);
    await call.hold("objects", fields * FIELD_BYTES);
    const isLong = fields > FIELDS_PER_TURN && decode === decodeKnownFields;
    const request = isLong
      ? await decodeInTurns(input, message, call)
      : asMessage(input, () => decode(input, message));
    const answer = await run(request, caller, call);
    if (Array.isArray(answer)) return answer;
    return [answer instanceof Uint8Array ? answer : toBinary(output, answer)];
  };
  return async (call, caller) => {
    const parts = await answerOf(call, caller);
    const bytes = lengthOf(parts);
    // Unless the method has reserved it before collecting so much.
    if (!call.holdsAnswer) await call.hold("answers", bytes);
    if (bytes > FREE_BYTES) await call.finishInTurns(parts);
    else call.finish(Buffer.concat(parts));
  };
}

/** Messages with more fields are counted and decoded in parts: about 1 ms each. */
const FIELDS_PER_TURN = 8_192;
/** Bytes of a part; one field may be larger. */
const PART_BYTES = 128 * 1024;

/** @throws GrpcError for bytes that are not such a message, or that would take too much memory */
async function countInTurns(schema: DescMessage, bytes: Uint8Array, call: RawCall): Promise<number> {
  const counter = createFieldCounter(schema, bytes);
  while (!asMessage(schema, () => counter.run(FIELDS_PER_TURN))) await call.nextTurn();
  return counter.count;
}

/** Consecutive fields can be decoded as separate messages, which are merged into one. */
async function decodeInTurns<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  call: RawCall,
): Promise<MessageShape<Schema>> {
  const message = create(schema);
  const reader = new BinaryReader(bytes);
  let start = 0;
  while (start < bytes.length) {
    const end = Math.min(bytes.length, start + PART_BYTES);
    asMessage(schema, () => {
      while (reader.pos < end) {
        const [number, type] = reader.tag();
        reader.skip(type, number);
      }
      mergeFromBinary(schema, message, bytes.subarray(start, reader.pos), { readUnknownFields: false });
    });
    start = reader.pos;
    if (start < bytes.length) await call.nextTurn();
  }
  return message;
}

/** A method with large messages: see `RawCall.admitUpload`. */
export function uploading<Caller>(method: RawMethod<Caller>): RawMethod<Caller> {
  return (call, caller) => {
    call.admitUpload();
    return method(call, caller);
  };
}

/** @throws GrpcError for bytes that are not such a message */
export function parseMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  return asMessage(schema, () => decodeCounted(schema, bytes));
}

function asMessage<Result>({ typeName }: DescMessage, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof TooManyFieldsError)
      throw new GrpcError(Code.InvalidArgument, `the message is not a valid ${typeName}: ${cause.message}`, {
        cause,
      });
    throw new GrpcError(Code.InvalidArgument, `the message is not a valid ${typeName}`, { cause });
  }
}
