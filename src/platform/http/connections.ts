/**
 * Who may hold a connection while there are fewer than there are clients.
 *
 * When the last place is taken, a new client gets the place of another: first of the connection that has been idle for
 * longest, then of the one that has waited for longest with a request that has not come whole, then of the reader that
 * takes nothing of its answer. Who sends requests and reads the answers keeps its place; if all do, the new one is told
 * to come back. The memory of answers that wait for slow readers is bounded in the same way.
 *
 * HTTP/1.1 and HTTP/2, in clear text and in TLS, are counted together. A place is that of an accepted connection,
 * whatever it carries; `Phase` says what it is doing.
 */
import type { IncomingMessage } from "node:http";
import type { ServerHttp2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Context } from "hono";
import { acceptConnection, beginSession, secureConnection } from "./accept-connection.ts";
import { admitRequest, admitUpgrade } from "./admit-request.ts";
import type { AnyRequest, AnyResponse } from "./connection.ts";
import { drainConnections } from "./drain-connections.ts";
import { type ConnectionGuardOptions, createGuardState } from "./guard-state.ts";
import { hasRoomForAnswer, sweepConnections } from "./slow-readers.ts";

export interface ConnectionGuard {
  /** Called for each request before it is answered. @returns false when it was refused here. */
  admit: (request: AnyRequest, response: AnyResponse) => boolean;
  /**
   * Called for a connection that leaves HTTP (WebSocket). It keeps its place until it ends, with time-outs of its owner's
   * only. @returns false when it was refused here.
   */
  admitUpgrade: (request: IncomingMessage) => boolean;
  /** Whether another answer may be made for this client now; false until slow readers have taken theirs or were cut. */
  hasRoomFor: (context: Context) => boolean;
  /**
   * Cuts readers that have taken nothing for too long, and sessions that are over; to be called about every second. Node's
   * own time-out does not: it counts what such a client sends meanwhile.
   */
  sweep: () => void;
  /** From now on connections end with the answers that they wait for; those that wait for none end at once. */
  drain: () => void;
  /** Called by the server for what a TLS handshake has made of a connection. */
  secure: (secure: TLSSocket, socket: Socket) => void;
  /** Called by the server for an HTTP/2 session that begins on a connection. */
  begin: (session: ServerHttp2Session, socket: Socket) => void;
  readonly isDraining: boolean;
  /** Connections at present. */
  readonly size: number;
  /** Requests at present. */
  readonly requests: number;
  /** Bytes of answers made on request that wait for their readers at present. */
  readonly unsentBytes: number;
}

export function guardConnections(server: Server, options: ConnectionGuardOptions): ConnectionGuard {
  const state = createGuardState(options);
  const { places, unsent } = state;
  server.on("connection", (socket) => acceptConnection(state, socket));
  return {
    admit: (request, response) => admitRequest(state, request, response),
    admitUpgrade: (request) => admitUpgrade(state, request),
    hasRoomFor: (context) => hasRoomForAnswer(state, context),
    sweep: () => sweepConnections(state),
    drain: () => drainConnections(state),
    secure: (secure, socket) => secureConnection(state, secure, socket),
    begin: (session, socket) => beginSession(state, session, socket),
    get isDraining() {
      return state.isDraining;
    },
    get size() {
      return places.all.size;
    },
    get requests() {
      return places.requests;
    },
    get unsentBytes() {
      unsent.measure();
      return unsent.bytes;
    },
  };
}
