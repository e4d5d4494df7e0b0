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
import { constants, type ServerHttp2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Context } from "hono";
import type { AnyRequest, AnyResponse, Connection, Exchange } from "./connection.ts";
import { createConnection, hasBody, hasWholeRequest } from "./connection.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { createPlaces } from "./places.ts";
import { isSessionOver } from "./session-times.ts";
import { createUnsentAnswers } from "./unsent-answers.ts";

export interface ConnectionGuardOptions {
  limits: ConnectionLimits;
  /** Of proxies: what comes from them is not one client. Default: nobody. */
  isExempt?: (address: string) => boolean;
  /** Whether connections begin with a TLS handshake: who finds no place is not told why. */
  isTls?: boolean;
  /** Milliseconds from any origin. Default `performance.now`. */
  clock?: () => number;
}

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

/** Seconds that a client is told to wait when there is no place. */
const RETRY_SECONDS = 5;

// Small enough to go out in one piece, whatever the client reads.
const NO_PLACE = `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${RETRY_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

export function guardConnections(server: Server, options: ConnectionGuardOptions): ConnectionGuard {
  const { limits, isExempt = () => false, isTls = false, clock = () => performance.now() } = options;
  const places = createPlaces(clock);
  const unsent = createUnsentAnswers(readers, clock);
  /** Connections by what their requests name: a socket, a TLS socket, an HTTP/2 session. */
  const carried = new WeakMap<object, Connection>();
  let isDraining = false;

  function* readers(): Generator<Connection> {
    yield* places.phases.receiving;
    yield* places.phases.answering;
  }

  function connectionOf(request: AnyRequest): Connection | undefined {
    const carrier = "stream" in request ? request.stream.session : request.socket;
    const connection = carrier && carried.get(carrier);
    return connection && places.all.has(connection.socket) ? connection : undefined;
  }

  function cut(connection: Connection): void {
    // At once: its place and its requests are given away now, `close` events come later.
    places.countRequests(connection, -connection.exchanges.size);
    connection.exchanges.clear();
    places.remove(connection);
    connection.socket.destroy();
  }

  /** Where the requests of all clients are too many: cuts the connection with the most that nobody can answer. */
  function makeRoomForRequest(newcomer: Connection): boolean {
    unsent.measure();
    const victim = places.findHolder(newcomer, (connection) => unsent.held(connection, limits.stalledMs));
    if (victim) cut(victim);
    return victim !== null;
  }

  const isStalled = (connection: Connection) => unsent.isStalled(connection, limits.stalledMs);

  function onConnection(socket: Socket): void {
    const connection = createConnection(socket, clock(), isExempt);
    carried.set(socket, connection);
    places.add(connection);
    socket.once("close", () => places.remove(connection));
    if (isDraining) return cut(connection);
    const own = connection.client?.connections;
    const isOverOwn = !connection.isExempt && (own?.size ?? 0) > limits.connectionsPerAddress;
    if (!isOverOwn && places.all.size <= limits.connections) return;
    unsent.measure();
    const victim = places.findVictim(isOverOwn ? (own ?? null) : null, connection, isStalled);
    if (victim) return cut(victim);
    places.remove(connection);
    if (isTls) return void socket.destroy();
    socket.end(NO_PLACE);
    socket.destroySoon();
  }

  /** Takes the memory back from readers that take nothing, the largest answers first. */
  function cutStalled(): void {
    const stalled = [...places.all.values()].filter((each) => each.unsent > 0 && isStalled(each));
    for (const connection of stalled.sort((a, b) => b.unsent - a.unsent)) {
      if (unsent.bytes <= limits.unsentBytes) return;
      cut(connection);
      unsent.release(connection);
    }
  }

  function onClosed(connection: Connection, exchange: Exchange): void {
    // Those of a connection that was cut are counted already.
    if (!connection.exchanges.delete(exchange)) return;
    places.countRequests(connection, -1);
    if (!places.all.has(connection.socket)) return;
    if (connection.exchanges.size === 0) {
      places.move(connection, "idle");
      // A session that drains ends itself.
      if (isDraining && !connection.session) connection.carrier.destroySoon();
    } else if (connection.session && connection.phase === "answering" && !hasWholeRequest(connection))
      places.move(connection, "receiving");
  }

  /** @returns the status of a refusal, or 0 */
  function refusal(connection: Connection, request: AnyRequest): 0 | 431 | 503 {
    const { session, exchanges, client } = connection;
    if (!session && exchanges.size >= limits.pipelinedRequests) return 503;
    if (!connection.isExempt && (client?.requests ?? 0) >= limits.requestsPerAddress) return 503;
    if (places.requests >= limits.requests && !makeRoomForRequest(connection)) return 503;
    if (request.rawHeaders.length > 2 * limits.headerLines) return 431;
    return session && lengthOf(request.rawHeaders) > limits.headerBytes ? 431 : 0;
  }

  server.on("connection", onConnection);

  return {
    admit(request, response) {
      const connection = connectionOf(request);
      // Its place was given away while its request came.
      if (!connection) return false;
      const status = refusal(connection, request);
      if (status !== 0) return refuse(connection, response, status);
      const { session } = connection;
      if (isDraining && !session) response.setHeader("Connection", "close");
      const now = clock();
      const exchange: Exchange = { request, response, startedAt: now, sent: 0, tookAt: now };
      connection.exchanges.add(exchange);
      connection.requests += 1;
      places.countRequests(connection, 1);
      response.once("close", () => onClosed(connection, exchange));
      if (session && connection.requests >= limits.requestsPerConnection) session.close();
      // One that still receives an earlier body keeps its place in the order; beside other requests a body changes nothing.
      const isReceiving = hasBody(request) && (!session || connection.phase !== "answering");
      const phase = isReceiving ? "receiving" : "answering";
      if (connection.phase !== phase) places.move(connection, phase);
      return true;
    },
    admitUpgrade(request) {
      const connection = connectionOf(request);
      if (!connection || isDraining) return false;
      connection.isUpgraded = true;
      connection.carrier.setTimeout(0);
      places.move(connection, "answering");
      return true;
    },
    hasRoomFor(context) {
      unsent.measure();
      if (unsent.bytes === 0) return true;
      if (unsent.bytes > limits.unsentBytes) cutStalled();
      // `env` is what the adapter passes, typed by nobody.
      const { incoming } = (context.env ?? {}) as { incoming?: AnyRequest };
      const connection = incoming && connectionOf(incoming);
      const own = connection && !connection.isExempt ? unsent.bytesOf(connection.key) : 0;
      return own <= limits.unsentBytesPerAddress && unsent.bytes <= limits.unsentBytes;
    },
    sweep() {
      const now = clock();
      unsent.measure();
      for (const connection of places.all.values()) {
        for (const { response } of unsent.stalledAnswers(connection, limits.unreadMs))
          if ("stream" in response) response.stream.close(constants.NGHTTP2_CANCEL);
        const isUnread = connection.isBlocked && unsent.isStalled(connection, limits.unreadMs);
        if (isUnread || isSessionOver(connection, now, limits)) cut(connection);
      }
    },
    drain() {
      isDraining = true;
      for (const connection of places.all.values()) {
        const { socket, exchanges, session, heard } = connection;
        if (session) {
          connection.phaseSince = clock();
          session.close();
          continue;
        }
        const hasBegun = exchanges.size > 0 || (connection.phase === "receiving" && socket.bytesRead > heard);
        if (!hasBegun) cut(connection);
        for (const { response } of exchanges)
          if (!response.headersSent) response.setHeader("Connection", "close");
      }
    },
    secure(secure, socket) {
      const connection = places.all.get(socket);
      if (!connection) return void secure.destroy();
      connection.carrier = secure;
      // What came so far was the handshake.
      connection.heard = socket.bytesRead;
      carried.set(secure, connection);
      if (isDraining) cut(connection);
    },
    begin(session, socket) {
      const connection = places.all.get(socket);
      if (!connection) return session.destroy();
      connection.session = session;
      carried.set(session, connection);
      places.move(connection, "idle");
      if (isDraining) session.close();
    },
    get isDraining() {
      return isDraining;
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

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

function refuse({ session }: Connection, response: AnyResponse, status: 431 | 503): false {
  const headers = {
    "Content-Length": 0,
    ...(!session && { Connection: "close" }),
    ...(status === 503 && { "Retry-After": RETRY_SECONDS }),
  };
  (response as { writeHead: (status: number, headers: object) => void }).writeHead(status, headers);
  response.end();
  // Its body, which nobody counts now, must not keep the stream open; the answer goes first.
  if ("stream" in response) setImmediate(() => response.stream.close(constants.NGHTTP2_NO_ERROR));
  return false;
}
