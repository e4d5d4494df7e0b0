/**
 * Decides who may hold a connection when there are more clients than places.
 *
 * When the last place is taken, a new client gets another client's place: first that of the connection idle for longest, then of
 * the one waiting longest with an incomplete request, then of a reader that takes nothing of its answer. A client that sends
 * requests and reads the answers keeps its place; if all do, the new client is told to retry. The memory of answers that wait for
 * slow readers is bounded in the same way.
 *
 * HTTP/1.1 and HTTP/2, in clear text and TLS, are counted together. Each accepted connection has one place,
 * whatever it carries; `Phase` says what it is doing.
 */
import type { ServerHttp2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Context } from "hono";
import { acceptConnection, beginSession, secureConnection } from "./accept-connection.ts";
import { admitOther, admitRequest, admitUpload } from "./admit-request.ts";
import type { AnyRequest, AnyResponse, UploadPace } from "./connection.ts";
import { drainConnections } from "./drain-connections.ts";
import { type ConnectionGuardOptions, createGuardState } from "./guard-state.ts";
import { hasRoomForAnswer, sweepConnections } from "./slow-readers.ts";

export interface ConnectionGuard {
  /** Called for each request before it is answered. @returns false when it was refused here. */
  admit: (request: AnyRequest, response: AnyResponse) => boolean;
  /**
   * Called for an admitted request whose sender may send a large body: it has as much time as it needs while bytes keep
   * arriving (`ConnectionLimits`). @returns a pace to update while the body is read
   */
  admitUpload: (request: AnyRequest) => UploadPace | null;
  /**
   * Called for a connection, or the TLS socket around it, that leaves HTTP (WebSocket) or never spoke it. It keeps its place
   * until it ends; only its owner's time-outs apply, and its owner ends it when the server stops. @returns false when it was
   * refused here.
   */
  admitOther: (carrier: Socket) => boolean;
  /**
   * Whether another answer may be made for this client now; false until slow readers took theirs or were cut.
   */
  hasRoomFor: (context: Context) => boolean;
  /**
   * Cuts readers that have taken nothing for too long, requests that take too long to arrive, and sessions that are over;
   * call it about every second. Node's own time-out does not help: it counts bytes that such a client sends meanwhile.
   */
  sweep: () => void;
  /** From now on connections end after their waiting answers, or immediately if they have none. */
  drain: () => void;
  /** Called by the server with the TLS socket of a connection after its handshake. */
  secure: (secure: TLSSocket, socket: Socket) => void;
  /** Called by the server for an HTTP/2 session that begins on a connection. */
  begin: (session: ServerHttp2Session, socket: Socket) => void;
  readonly isDraining: boolean;
  /** Current connections. */
  readonly size: number;
  /** Current requests. */
  readonly requests: number;
  /** Bytes of generated answers that currently wait for their readers. */
  readonly unsentBytes: number;
}

export function guardConnections(server: Server, options: ConnectionGuardOptions): ConnectionGuard {
  const state = createGuardState(options);
  const { places, unsent } = state;
  server.on("connection", (socket) => acceptConnection(state, socket));
  return {
    admit: (request, response) => admitRequest(state, request, response),
    admitUpload: (request) => admitUpload(state, request),
    admitOther: (carrier) => admitOther(state, carrier),
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
