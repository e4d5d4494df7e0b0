/**
 * The entry of a room that answers Node's own requests, because a framework would take more time than the rest:
 *
 *   request ─► its id, its client's address ─► serve ──────────► answer ─► listeners, count
 *                                                └─► explain ──► failure ─┘
 *                                                        └─► cut, when no one could read it
 */
import type { Log } from "../../log/log.ts";
import { runForRequest } from "../../log/request-context.ts";
import { createNodeAddressOf, plainAddress } from "../addresses/client-address.ts";
import type { AnyRequest, AnyResponse, UploadPace } from "../connections/connection.ts";
import { createRequestIds } from "../request-id.ts";
import type { AnswerListener } from "../connections/watch-answers.ts";
import { watchNodeAnswer } from "../connections/watch-node-answer.ts";
import { type Headers, type NodeCall, sendText } from "./answer.ts";
import { BrokenOffError } from "./take-body.ts";

/** The server's services for every room. */
export interface NodeHandlerOptions {
  log: Log;
  /** Addresses and networks of the operator's own proxies, which report the client's address. Default: none. */
  trustedProxies?: readonly string[];
  /** Called once for each answer that was sent or cut off. */
  listeners?: readonly AnswerListener[];
  /** Allows an upload the time that it needs; see `ConnectionGuard`. */
  admitUpload?: (request: AnyRequest) => UploadPace | null;
}

export interface ArrivedCall extends NodeCall {
  receivedBytes: number;
  sentBytes: number;
  /** Allows the body the time of an upload; null without a guard. */
  admitUpload: () => UploadPace | null;
}

/** A failure in the form of the answer; `body` is JSON. */
export interface Explained {
  status: number;
  body: string;
  headers: Headers;
}

export interface Room<Call extends ArrivedCall & { outcome: string }> {
  /** The part of the server that these answers are counted for. */
  mount: string;
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** Adds the room's data to a call. */
  receive: (arrived: ArrivedCall) => Call;
  serve: (call: Call, address: string | null) => Promise<void>;
  /** Also sets the call's outcome. @throws BrokenOffError when the answer has no reader */
  explain: (call: Call, error: unknown) => Explained;
  /** @param isCut whether the client has left; false for a refused client, which need not send the rest */
  count: (call: Call, isCut: boolean) => void;
}

export function createNodeHandler<Call extends ArrivedCall & { outcome: string }>(
  { log, trustedProxies = [], listeners = [], admitUpload = () => null }: NodeHandlerOptions,
  room: Room<Call>,
): (request: AnyRequest, response: AnyResponse) => void {
  const { mount, headers } = room;
  const addressOf = createNodeAddressOf(trustedProxies);
  const requestIdOf = createRequestIds({ trustedProxies });
  return (request, response) => {
    const requestId = requestIdOf(request.headers["x-request-id"]?.toString(), () =>
      plainAddress(request.socket?.remoteAddress),
    );
    const address = addressOf(request);
    const call = room.receive({
      request,
      response,
      headers: { ...headers, "x-request-id": requestId },
      receivedBytes: 0,
      sentBytes: 0,
      admitUpload: () => admitUpload(request),
    });
    const client = { requestId, address: () => address };
    watchNodeAnswer(request, response, {
      mount,
      describe: () => ({ bytes: call.sentBytes }),
      tell(answered) {
        for (const tell of listeners) tell(answered, client);
        room.count(call, answered.isCut && call.outcome !== "failed" && call.outcome !== "refused");
      },
    });
    void runForRequest(requestId, () => answer({ room, log }, call, address));
  };
}

async function answer<Call extends ArrivedCall & { outcome: string }>(
  { room, log }: { room: Room<Call>; log: Log },
  call: Call,
  address: string | null,
): Promise<void> {
  try {
    await room.serve(call, address);
  } catch (error) {
    try {
      fail(room, call, error);
    } catch (reason) {
      if (!(reason instanceof BrokenOffError))
        log.error(`The ${room.mount} could not respond:`, { error: reason });
      cutOff(call.response);
    }
  }
}

/** @throws BrokenOffError when the answer has no reader */
function fail<Call extends ArrivedCall & { outcome: string }>(
  room: Room<Call>,
  call: Call,
  error: unknown,
): void {
  const { status, body, headers } = room.explain(call, error);
  if (call.response.headersSent)
    throw new BrokenOffError("Part of another answer has gone.", { cause: error });
  sendText(call, body, { status, type: "application/json", more: headers });
}

function cutOff(response: AnyResponse): void {
  // An HTTP/2 session carries other answers.
  if ("stream" in response) response.stream.close(2);
  else response.destroy();
}

/** Protects browsers from bytes that any member of the organization may have stored. */
export function headersOfForeignBytes(origin: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    ...(origin.startsWith("https://") && { "strict-transport-security": "max-age=31536000" }),
  };
}
