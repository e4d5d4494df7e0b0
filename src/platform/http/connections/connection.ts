/** State of one accepted connection and its requests, in HTTP/1.1 and HTTP/2. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { networkKeys, plainAddress } from "../addresses/client-address.ts";

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** A request and its answer, until the answer has been sent. */
export interface Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  /** When the request's headers arrived. */
  readonly startedAt: number;
  /** HTTP/2: bytes of the answer that had been sent at the last check. */
  sent: number;
  /** HTTP/2: the last check at which the reader had taken something of this answer. */
  tookAt: number;
  /** Set for a body that may take longer than other requests. */
  upload: TimedUpload | null;
}

/** Updated by the reader of the body. */
export interface UploadPace {
  receivedBytes: number;
  /** Reading is paused, because the server is still busy with earlier bytes. */
  isHeld: boolean;
}

export interface TimedUpload {
  readonly pace: UploadPace;
  /** The last check at which enough had arrived, and the bytes received by then. */
  markedAt: number;
  markedBytes: number;
}

/**
 *   connected ─► receiving ──(request has arrived)───► answering ──(the answer is sent)───► idle ─┐
 *                    ▲                                                                            │
 *                    └────────────────────────────(the next request begins)───────────────────────┘
 *
 * With several requests at once it is `answering` as soon as one of them has arrived whole.
 */
export type Phase = "receiving" | "answering" | "idle";

/** The connections and requests of one client, or of a network around clients. */
export interface Client {
  readonly key: string;
  readonly connections: Set<Connection>;
  requests: number;
}

export interface Connection {
  /** As accepted: ending it ends everything on it. */
  readonly socket: Socket;
  /** The socket that carries HTTP: `socket`, or the TLS socket around it. */
  carrier: Socket;
  /** Its HTTP/2 session. */
  session: ServerHttp2Session | null;
  /** The keys of its client and of the networks around it, up to the widest. */
  readonly keys: readonly string[];
  /** Their totals; empty before it has its place. */
  clients: readonly Client[];
  /** Whether it comes from a proxy. */
  readonly isExempt: boolean;
  /** Speaks something other than HTTP, such as WebSocket. */
  isUpgraded: boolean;
  phase: Phase;
  phaseSince: number;
  /** In the order of the requests. */
  readonly exchanges: Set<Exchange>;
  /** HTTP/1.1: a request answered before its whole body had arrived. */
  leftover: Exchange | null;
  /** Requests so far, and since the event loop's last turn. */
  requests: number;
  begun: number;
  /** Seemingly answered requests that have not earned resets yet (`stream-resets.ts`). */
  answered: number;
  /** Bytes in memory of its generated answers. */
  unsent: number;
  /** Bytes of all its waiting answers. */
  queued: number;
  /** Whether the system had accepted less than was sent at the last check: the client does not read, or reads slowly. */
  isBlocked: boolean;
  /** Bytes that the system had accepted at the last check. */
  taken: number;
  /** The last check at which this had increased. */
  tookAt: number;
  /** Bytes that had arrived at the last check, and when this changed. */
  arrived: number;
  arrivedAt: number;
  /** Whether it was pinged since then. */
  isAsked: boolean;
}

export function createConnection(
  socket: Socket,
  now: number,
  isExempt: (address: string) => boolean,
): Connection {
  const address = plainAddress(socket.remoteAddress);
  const isProxy = address !== null && isExempt(address);
  const keys = networkKeys(address);
  return {
    socket,
    carrier: socket,
    session: null,
    // Clients of a proxy come from other networks than the proxy's.
    keys: isProxy ? keys.slice(0, 1) : keys,
    isExempt: isProxy,
    clients: [],
    isUpgraded: false,
    phase: "receiving",
    phaseSince: now,
    exchanges: new Set(),
    leftover: null,
    requests: 0,
    begun: 0,
    answered: 0,
    unsent: 0,
    queued: 0,
    isBlocked: false,
    taken: 0,
    tookAt: now,
    arrived: 0,
    arrivedAt: now,
    isAsked: false,
  };
}

/** Whether part of this request is still to arrive. */
export function isComing(request: AnyRequest): boolean {
  if (!(request instanceof Http2ServerRequest)) return !request.complete;
  const { stream } = request;
  // A request of the compatibility API is complete only once it has been read.
  return !stream.endAfterHeaders && !stream.destroyed && stream.state.remoteClose !== 1;
}

/** Whether one of the requests has arrived whole. */
export function hasWholeRequest({ exchanges }: Connection): boolean {
  for (const { request } of exchanges) if (!isComing(request)) return true;
  return false;
}

/** Whether a new request has a body. */
export function hasBody(request: AnyRequest): boolean {
  if (request instanceof Http2ServerRequest) return !request.stream.endAfterHeaders;
  const { headers } = request;
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
