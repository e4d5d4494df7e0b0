/**
 * Messages of the library's protocols (gRPC, gRPC-Web, Connect's streams) are counted before the library decodes them: it has
 * no hook for that, so each handler receives its request's body through here.
 *
 *   bytes ─► one whole message, within its method's limit ─► counted ─► the library
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest } from "@connectrpc/connect/protocol";
import { chargeReceived } from "../fair/charge-request.ts";
import { hasHalfSign } from "../text/half-signs.ts";
import { exceededLimit } from "../text/json-depth.ts";
import { countFields } from "./count-fields.ts";
import { TooManyFieldsError } from "./field-counter.ts";
import { GrpcError } from "./grpc-error.ts";
import { limitsOf, type MessageLimits } from "./message-limits.ts";
import { createMessageSplitter, frameMessage } from "./split-messages.ts";

/** Nested lists and objects in JSON. The deepest request has 4. */
export const MAX_JSON_DEPTH = 32;

const guarded = new WeakSet<UniversalHandler>();

/** Guards the router's handlers that are not guarded yet. */
export function guardMessages(
  router: ConnectRouter,
  limits: (method: DescMethod) => MessageLimits = ({ input }) => limitsOf(input),
): void {
  for (const [at, handler] of router.handlers.entries())
    if (!guarded.has(handler)) router.handlers[at] = guard(handler, limits(handler.method));
}

function guard(handler: UniversalHandler, limits: MessageLimits): UniversalHandler {
  const { method } = handler;
  const answer = (request: UniversalServerRequest) =>
    handler({ ...request, body: countMessages(request, method, limits) });
  const made = Object.assign(answer, handler);
  guarded.add(made);
  return made;
}

async function* countMessages(
  { header, body }: UniversalServerRequest,
  method: DescMethod,
  limits: MessageLimits,
): AsyncGenerator<Uint8Array> {
  const isJson = /\+json/i.test(header.get("content-type") ?? "");
  const splitter = createMessageSplitter(limits.bytes);
  try {
    // These protocols' bodies are never parsed by anyone else.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      chargeReceived(chunk.length);
      for (let message = splitter.next(); message; message = splitter.next()) {
        checkMessage(method, limits, { isJson, bytes: message });
        yield frameMessage(message);
      }
    }
  } catch (error) {
    if (error instanceof GrpcError) throw new ConnectError(error.message, error.code);
    throw error;
  }
  if (splitter.isWithin)
    throw new ConnectError("the request ended before its message was complete", Code.InvalidArgument);
}

/**
 * Checks a message's limits, with errors for its sender. Its bytes were counted on arrival.
 * @throws ConnectError `invalid_argument`
 */
export function checkMessage(
  method: DescMethod,
  { fields, depth }: MessageLimits,
  { isJson, bytes }: { isJson: boolean; bytes: Uint8Array },
): void {
  if (isJson) {
    // Brackets, commas and quotes are the same bytes in Latin-1 and UTF-8.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const exceeded = exceededLimit(text, { depth: MAX_JSON_DEPTH, values: fields });
    if (exceeded === "values") throw tooMuch(method, `${fields} values`);
    if (exceeded === "depth") throw tooMuch(method, `${MAX_JSON_DEPTH} levels of nested lists and objects`);
    // Not valid in Protocol Buffers, and gRPC's library fails when it repeats it in an error: the client got no answer.
    if (hasHalfSign(text))
      throw new ConnectError(
        "The message contains a lone surrogate such as \\ud800, which UTF-8 cannot encode.",
        Code.InvalidArgument,
      );
    return;
  }
  try {
    countFields(method.input, bytes, { fields, depth });
  } catch (error) {
    if (error instanceof TooManyFieldsError) throw tooMuch(method, error.most);
    throw new ConnectError(
      `The message is not a valid ${method.input.typeName} in the binary format of Protocol Buffers.`,
      Code.InvalidArgument,
    );
  }
}

const nameOf = ({ parent, name }: DescMethod) => `${parent.name}/${name}`;

const tooMuch = (method: DescMethod, what: string) =>
  new ConnectError(`${nameOf(method)} takes at most ${what} in one request.`, Code.InvalidArgument);
