/** What is known of one accepted connection and its requests, in HTTP/1.1 and HTTP/2. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { networkKeys, plainAddress } from "./client-address.ts";

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** A request and its answer, until the answer has been sent. */
export interface Exchange {
  readonly request: AnyRequest;
  readonly response: AnyResponse;
  /** When the request's headers had arrived. */
  readonly startedAt: number;
  /** HTTP/2: bytes of the answer that had been sent at the last check. */
  sent: number;
  /** HTTP/2: the last check at which the reader had taken something of this answer. */
  tookAt: number;
  /** Of a body that may take longer than other requests. */
  upload: TimedUpload | null;
}

/** Kept up to date by whoever reads the body. */
export interface UploadPace {
  receivedBytes: number;
  /** Nothing is read at present, because the server is not done with what came before. */
  isHeld: boolean;
}

export interface TimedUpload {
  readonly pace: UploadPace;
  /** The last check at which enough had come, and what had come then. */
  markedAt: number;
  markedBytes: number;
}

/**
 *   connected ─► receiving ──(the request has come)──► answering ──(the answer has gone)──► idle ─┐
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
  /** As accepted: ending it ends everything that it carries. */
  readonly socket: Socket;
  /** The socket that HTTP is spoken on: `socket`, or the TLS socket around it. */
  carrier: Socket;
  /** Its HTTP/2 session. */
  session: ServerHttp2Session | null;
  /** The keys of the client that it counts for and of the networks around it, to the widest. */
  readonly keys: readonly string[];
  /** The totals of these; none before it has its place. */
  clients: readonly Client[];
  /** Whether it comes from a proxy. */
  readonly isExempt: boolean;
  /** Speaks something other than HTTP, such as WebSocket. */
  isUpgraded: boolean;
  phase: Phase;
  phaseSince: number;
  /** In the order of the requests. */
  readonly exchanges: Set<Exchange>;
  /** HTTP/1.1: one that was answered before its body had arrived, of which more may come. */
  leftover: Exchange | null;
  /** Requests so far, and since the event loop's last turn. */
  requests: number;
  begun: number;
  /** Requests that seem to be answered, for which nothing was earned yet (`stream-resets.ts`). */
  answered: number;
  /** Bytes in memory of answers made on request for it. */
  unsent: number;
  /** Bytes of all answers that wait for it. */
  queued: number;
  /**
   * Whether the system had taken less than was sent at the last check: the client reads nothing, or slowly.
   */
  isBlocked: boolean;
  /** Bytes that the system had taken at the last check. */
  taken: number;
  /** The last check at which it had taken something. */
  tookAt: number;
  /** Bytes that had arrived at the last check, and when that changed. */
  heard: number;
  heardAt: number;
  /** Whether it has been asked since then if it is still there. */
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
    // What comes through a proxy comes from other networks than its own.
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
    heard: 0,
    heardAt: now,
    isAsked: false,
  };
}

/** Whether more of this request is still to come. */
export function isComing(request: AnyRequest): boolean {
  if (!(request instanceof Http2ServerRequest)) return !request.complete;
  const { stream } = request;
  // A compatible request is complete only once it has been read.
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
