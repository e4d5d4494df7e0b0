/** What is known of one accepted connection and of the requests on it, in HTTP/1.1 and HTTP/2. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { addressKey, plainAddress } from "./client-address.ts";

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** A request and its answer, until the answer has gone. */
export interface Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  /** When the request's headers had come. */
  readonly startedAt: number;
  /** HTTP/2: bytes of the answer that had left when last seen. */
  sent: number;
  /** HTTP/2: when it was last seen that the reader had taken something of this answer. */
  tookAt: number;
}

/**
 *   connected ─► receiving ──(the request has come)──► answering ──(the answer has gone)──► idle ─┐
 *                    ▲                                                                            │
 *                    └────────────────────────────(the next request begins)───────────────────────┘
 *
 * With several requests at once it is `answering` as soon as one of them has come whole.
 */
export type Phase = "receiving" | "answering" | "idle";

/** Connections and requests of one client. */
export interface Client {
  readonly connections: Set<Connection>;
  requests: number;
}

export interface Connection {
  /** As it was accepted: what ends it ends everything that it carries. */
  readonly socket: Socket;
  /** What HTTP is spoken on: `socket`, or the TLS socket around it. */
  carrier: Socket;
  /** Of HTTP/2. */
  session: ServerHttp2Session | null;
  /** Who counts as one client. */
  readonly key: string;
  /** What it has in all; null before it has its place. */
  client: Client | null;
  /** A proxy's. */
  readonly isExempt: boolean;
  /** Speaks something else than HTTP now, such as WebSocket. */
  isUpgraded: boolean;
  phase: Phase;
  phaseSince: number;
  /** In the order of their requests. */
  readonly exchanges: Set<Exchange>;
  /** Requests so far. */
  requests: number;
  /** Bytes of answers made on request that are in memory for it. */
  unsent: number;
  /** Bytes of all answers that wait for it. */
  queued: number;
  /** Whether the system took less than was sent when last seen: the client reads nothing, or slowly. */
  isBlocked: boolean;
  /** Bytes that the system had taken when last seen. */
  taken: number;
  /** When it was last seen that it had taken something. */
  tookAt: number;
  /** Bytes that had come when last seen, and when that changed. */
  heard: number;
  heardAt: number;
  /** Whether it was asked since then if it is still there. */
  isAsked: boolean;
}

export function createConnection(
  socket: Socket,
  now: number,
  isExempt: (address: string) => boolean,
): Connection {
  const address = plainAddress(socket.remoteAddress);
  return {
    socket,
    carrier: socket,
    session: null,
    key: addressKey(address),
    isExempt: address !== null && isExempt(address),
    client: null,
    isUpgraded: false,
    phase: "receiving",
    phaseSince: now,
    exchanges: new Set(),
    requests: 0,
    unsent: 0,
    queued: 0,
    isBlocked: false,
    taken: 0,
    tookAt: now,
    heard: 0,
    heardAt: now,
    isAsked: false,
  };
}

/** Whether more of this request is to come. */
export function isComing(request: AnyRequest): boolean {
  if (!(request instanceof Http2ServerRequest)) return !request.complete;
  const { stream } = request;
  // A compatible request is complete only when it was read.
  return !stream.endAfterHeaders && !stream.destroyed && stream.state.remoteClose !== 1;
}

/** Whether one of the requests has come whole. */
export function hasWholeRequest({ exchanges }: Connection): boolean {
  for (const { request } of exchanges) if (!isComing(request)) return true;
  return false;
}

/** Whether a request that begins has a body. */
export function hasBody(request: AnyRequest): boolean {
  if (request instanceof Http2ServerRequest) return !request.stream.endAfterHeaders;
  const { headers } = request;
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
