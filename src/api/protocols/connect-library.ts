/** gRPC, gRPC-Web and Connect's streams: the library's protocols around `admit` and `perform`. */
import type { Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type MethodImpl,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { guardMessages } from "#platform/grpc/guard-messages.ts";
import { callerAddress } from "#platform/grpc/handler.ts";
import { BodyError, readChunks } from "#platform/http/read-body.ts";
import { addressOfMethod, type Method, type MethodTable } from "../calls/call.ts";
import { JSON_OPTIONS } from "../calls/json-options.ts";
import { MOST_REQUEST_BYTES, requestLimits } from "../calls/request-limits.ts";
import { admit, type Admitted, type Api, perform, performStream } from "./perform.ts";

const admittedCall = createContextKey<Admitted | null>(null, { description: "who calls" });

/** Adds every method: for `createGrpcHandler`. */
export function addMethods(api: Api, methods: MethodTable, router: ConnectRouter): void {
  for (const method of methods.values())
    router.rpc(
      method.desc,
      implement(api, method) as MethodImpl<typeof method.desc>,
      optionsFor(api, method),
    );
  guardMessages(router, requestLimits);
}

function optionsFor(api: Api, method: Method): Partial<ConnectRouterOptions> {
  return {
    jsonOptions: JSON_OPTIONS,
    binaryOptions: { readUnknownFields: false },
    readMaxBytes: requestLimits(method.desc).bytes,
    acceptCompression: [],
    // Runs before the message is read.
    async requestGate({ requestHeader: headers, values, signal }) {
      const address = values.get(callerAddress) || null;
      const isGone = () => signal.aborted;
      values.set(admittedCall, await admit(api, { method, headers, address, isGone }));
    },
  };
}

function implement(api: Api, method: Method) {
  const run = (request: Message, { values, signal }: HandlerContext) => {
    const admitted = values.get(admittedCall);
    if (!admitted) throw new ConnectError("no token", Code.Unauthenticated);
    return perform(api, admitted, { request, signal });
  };
  if (method.desc.methodKind === "unary") return run;
  return async function* stream(request: Message, context: HandlerContext) {
    const admitted = context.values.get(admittedCall);
    // Streams of parts that do not exist yet end with an error, before any message.
    if (method.isPublic || !method.stream || !admitted) yield await run(request, context);
    else yield* performStream(api, admitted, { request, signal: context.signal, stream: method.stream });
  };
}

/** From a method to the library's handler of `application/connect+json` and `application/connect+proto`. */
export type StreamHandlers = ReadonlyMap<Method, UniversalHandler>;

export function createStreamHandlers(api: Api, methods: MethodTable): StreamHandlers {
  const router = createConnectRouter({ grpc: false, grpcWeb: false });
  addMethods(api, methods, router);
  const handlers = router.handlers.map((handler): [Method, UniversalHandler] => [
    methods.get(addressOfMethod(handler.method))!,
    handler,
  ]);
  return new Map(handlers);
}

/** For `application/connect+…`: errors are in the last frame, and the status is 200. */
export async function answerStream(
  handler: UniversalHandler,
  request: Request,
  address: string | null,
): Promise<Response> {
  const { method, url, headers: header, signal } = request;
  const contextValues = createContextValues().set(callerAddress, address ?? "");
  const body = readFrames(request);
  const answer = await handler({ httpVersion: "", method, url, header, body, signal, contextValues });
  answer.header?.set("cache-control", "no-store");
  return universalServerResponseToFetch(answer);
}

async function* readFrames(request: Request): AsyncGenerator<Uint8Array> {
  try {
    // Each frame has its own limit; this limit is for all together, because no method takes a stream.
    yield* readChunks(request, { maxBytes: 2 * MOST_REQUEST_BYTES, isChargedElsewhere: true });
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    const code = error.problem === "too large" ? Code.ResourceExhausted : Code.InvalidArgument;
    throw new ConnectError(error.message, code);
  }
}
