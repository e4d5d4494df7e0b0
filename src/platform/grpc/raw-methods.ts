/** Methods of gRPC that are answered without a library, and what each call of them goes through. */
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Log } from "../log/log.ts";
import { GrpcError } from "./grpc-error.ts";
import { type CallInfo, CallOverError, RawCall } from "./raw-call.ts";

/** Answers the call, to its end. @throws GrpcError, CallOverError */
export type RawMethod<Caller> = (call: RawCall, caller: Caller) => Promise<void>;

export interface RawServices<Caller> {
  /** By path: `/google.bytestream.ByteStream/Read`. */
  methods: ReadonlyMap<string, RawMethod<Caller>>;
  /** Who calls; before anything of the body is read. @throws GrpcError */
  admit: (call: RawCall) => Promise<Caller>;
  maxMessageBytes: number;
  /** Errors of the services as the client is told of them; undefined for those that nobody expects. */
  translate: (error: unknown) => GrpcError | undefined;
  log: Log;
}

/** Answers a call of one of the methods. @returns false for other paths */
export type AnswerRawCall = (
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  info: Omit<CallInfo, "maxMessageBytes">,
) => boolean;

export function createRawHandler<Caller>(services: RawServices<Caller>): AnswerRawCall {
  const { methods, maxMessageBytes } = services;
  return (request, response, info) => {
    const method = methods.get(info.path);
    if (!method) return false;
    const call = new RawCall(request, response, { ...info, maxMessageBytes });
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
    const expected = error instanceof GrpcError ? error : translate(error);
    if (!expected) log.error(`${call.info.path} failed:`, { error });
    call.fail(expected ?? new GrpcError(Code.Internal, unexpected(call.info.requestId)));
  }
}

const unexpected = (requestId: string) =>
  `Something went wrong on our side. The server's log explains it under ${requestId}.`;

/** A method with one message in and one out. */
export function unary<Input extends DescMessage, Output extends DescMessage, Caller>(
  { input, output }: { input: Input; output: Output },
  run: (
    request: MessageShape<Input>,
    caller: Caller,
    call: RawCall,
  ) => Promise<MessageShape<Output> | Uint8Array>,
): RawMethod<Caller> {
  return async (call, caller) => {
    const answer = await run(parseMessage(input, await call.readOnly()), caller, call);
    call.finish(answer instanceof Uint8Array ? answer : toBinary(output, answer));
  };
}

/** A method whose messages are large: see `RawCall.admitUpload`. */
export function uploading<Caller>(method: RawMethod<Caller>): RawMethod<Caller> {
  return (call, caller) => {
    call.admitUpload();
    return method(call, caller);
  };
}

/** @throws GrpcError for bytes that are no such message */
export function parseMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    throw new GrpcError(Code.InvalidArgument, `the message is no ${schema.typeName}`, { cause });
  }
}
