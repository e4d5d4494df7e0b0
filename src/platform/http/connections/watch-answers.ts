/** The outcome of each request, reported once its answer was sent or cut off, for the access log and metrics. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { AddressOf } from "../addresses/client-address.ts";

export interface AnsweredRequest {
  method: string;
  /** The part of the server that answered; from a small set of names. */
  mount: string;
  /** Without the query. */
  path: string;
  status: number;
  /** Bytes of the body as sent, for a stream including its head; null if they were not counted. */
  bytes: number | null;
  /** From the arrival of the request's head to the last byte of its answer. */
  ms: number;
  /** `1.1`, `2.0`; null without a connection. */
  protocol: string | null;
  /** Whether the connection ended before the whole answer was sent. */
  isCut: boolean;
  /** gRPC's own status; its HTTP status is always 200. Absent if it is part of the body. */
  grpcStatus?: number;
}

/** The client, for listeners that ask for it. */
export interface AnsweredClient {
  requestId: string | undefined;
  /** Null without a connection. */
  address: () => string | null;
}

export type AnswerListener = (request: AnsweredRequest, client: AnsweredClient) => void;

export interface WatchOptions {
  /** The part of the server that answers a path; from a small set of names. */
  mountOf: (path: string) => string;
  listeners: readonly AnswerListener[];
  addressOf: AddressOf;
  /** Milliseconds from any origin. */
  clock?: () => number;
}

/** Properties that @hono/node-server adds to a request. */
interface NodeEnvironment {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

export function watchAnswers({
  mountOf,
  listeners,
  addressOf,
  clock = () => performance.now(),
}: WatchOptions): MiddlewareHandler {
  return async (context, next) => {
    const started = clock();
    // `env` is passed by the adapter and has no type.
    const { incoming, outgoing } = (context.env ?? {}) as NodeEnvironment;
    const sentBefore = incoming?.socket?.bytesWritten ?? 0;
    const { method, path } = context.req;
    const tell = (answered: Pick<AnsweredRequest, "status" | "bytes" | "isCut">) => {
      const protocol = incoming?.httpVersion ?? null;
      const request = { method, path, mount: mountOf(path), ms: clock() - started, protocol, ...answered };
      const client = { requestId: context.get("requestId"), address: () => addressOf(context) };
      for (const listener of listeners) listener(request, client);
    };
    let declared: number | null = null;
    outgoing?.once("close", () => {
      const isCut = !outgoing.writableFinished;
      const bytes = declared !== null && !isCut ? declared : bytesSent(incoming, sentBefore);
      tell({ status: outgoing.statusCode, bytes, isCut });
    });
    await next();
    declared = method === "HEAD" ? 0 : lengthOf(context.res);
    if (!outgoing) tell({ status: context.res.status, bytes: declared, isCut: false });
  };
}

function lengthOf({ headers }: Response): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}

/** Bytes sent over an HTTP/1.1 connection meanwhile, including the answer's head: for streams, no better number is known. */
function bytesSent(incoming: IncomingMessage | undefined, sentBefore: number): number | null {
  // An HTTP/2 connection carries other answers at the same time.
  if (!incoming?.socket || incoming.httpVersionMajor !== 1) return null;
  return Math.max(0, incoming.socket.bytesWritten - sentBefore);
}
