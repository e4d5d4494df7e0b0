/**
 * Who may hold a connection while there are fewer than there are clients.
 *
 *   connected ─► receiving ──(the request has come)──► answering ──(the answer has gone)──► idle ─┐
 *                    ▲                                                                            │
 *                    └────────────────────────────(the next request begins)───────────────────────┘
 *
 * When the last place is taken, a new client gets the place of another: first of the connection that has been idle for
 * longest, then of the one that has waited for longest with a request that has not come whole, then of the reader that
 * takes nothing of its answer. Who sends requests and reads the answers keeps its place; if all do, the new one is told
 * to come back. The memory of answers that wait for slow readers is bounded in the same way.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Context } from "hono";
import { addressKey, plainAddress } from "./client-address.ts";
import { createUnsentAnswers, type Reader } from "./unsent-answers.ts";

export interface ConnectionLimits {
  /** Connections at once, of all clients. */
  connections: number;
  /** Connections at once of one client; see `addressKey`. */
  connectionsPerAddress: number;
  /** Requests that one connection may have sent ahead of their answers. */
  pipelinedRequests: number;
  /** Header lines of a request. */
  headerLines: number;
  /** Bytes of answers made on request that wait for their readers, of all clients. */
  unsentBytes: number;
  /** The same for one client. */
  unsentBytesPerAddress: number;
  /** Milliseconds after which a reader that takes nothing may lose its place to another. */
  stalledMs: number;
  /** Milliseconds after which it loses its place in any case. */
  unreadMs: number;
}

export interface ConnectionGuardOptions {
  limits: ConnectionLimits;
  /** Of proxies: what comes from them is not one client. Default: nobody. */
  isExempt?: (address: string) => boolean;
  /** Milliseconds from any origin. Default `performance.now`. */
  clock?: () => number;
}

export interface ConnectionGuard {
  /** Called for each request before it is answered. @returns false when it was refused here. */
  admit: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Whether another answer may be made for this client now; false until slow readers have taken theirs or were cut. */
  hasRoomFor: (context: Context) => boolean;
  /**
   * Cuts readers that have taken nothing for too long; to be called about every second. Node's own time-out does not: it
   * counts what such a client sends meanwhile.
   */
  sweep: () => void;
  /** From now on connections end with the answer that they wait for; those that wait for none end at once. */
  drain: () => void;
  readonly isDraining: boolean;
  /** Connections at present. */
  readonly size: number;
  /** Bytes of answers made on request that wait for their readers at present. */
  readonly unsentBytes: number;
}

/** Seconds that a client is told to wait when there is no place. */
const RETRY_SECONDS = 5;

type Phase = "receiving" | "answering" | "idle";

interface Connection extends Reader {
  phase: Phase;
  /** A proxy's. */
  readonly isExempt: boolean;
  readonly responses: Set<ServerResponse>;
  request: IncomingMessage | null;
}

export function guardConnections(server: Server, options: ConnectionGuardOptions): ConnectionGuard {
  const { limits, isExempt = () => false, clock = () => performance.now() } = options;
  const connections = new Map<Socket, Connection>();
  const peers = new Map<string, Set<Connection>>();
  /** Each in the order in which its connections came into this phase. */
  const phases: { [phase in Phase]: Set<Connection> } = {
    receiving: new Set(),
    answering: new Set(),
    idle: new Set(),
  };
  let isDraining = false;
  const unsent = createUnsentAnswers(readers, clock);

  function* readers(): Generator<Connection> {
    yield* phases.receiving;
    yield* phases.answering;
  }

  function move(connection: Connection, phase: Phase): void {
    phases[connection.phase].delete(connection);
    connection.phase = phase;
    phases[phase].add(connection);
  }

  function remember(socket: Socket): Connection {
    const address = plainAddress(socket.remoteAddress);
    const connection: Connection = {
      socket,
      key: addressKey(address),
      phase: "receiving",
      isExempt: address !== null && isExempt(address),
      responses: new Set(),
      request: null,
      unsent: 0,
      queued: 0,
      tookAt: clock(),
    };
    connections.set(socket, connection);
    phases.receiving.add(connection);
    const others = peers.get(connection.key) ?? new Set();
    peers.set(connection.key, others.add(connection));
    socket.once("close", () => forget(connection));
    return connection;
  }

  function forget(connection: Connection): void {
    if (!connections.delete(connection.socket)) return;
    phases[connection.phase].delete(connection);
    const others = peers.get(connection.key);
    others?.delete(connection);
    if (others?.size === 0) peers.delete(connection.key);
  }

  function cut(connection: Connection): void {
    // At once: its place is given away now, its `close` event comes later.
    forget(connection);
    connection.socket.destroy();
  }

  /** The connection that loses its place first, among all or among those of one client. */
  function findVictim(among: ReadonlySet<Connection> | null, newcomer: Connection): Connection | null {
    const isEligible = (connection: Connection) =>
      connection !== newcomer && (among?.has(connection) ?? true);
    for (const connection of phases.idle) if (isEligible(connection)) return connection;
    for (const connection of phases.receiving) {
      // Nothing tells when a body has come that nobody reads; it is found out here.
      if (connection.request?.complete) move(connection, "answering");
      else if (isEligible(connection)) return connection;
    }
    unsent.measure();
    let slowest: Connection | null = null;
    for (const connection of phases.answering)
      if (
        isEligible(connection) &&
        isStalled(connection) &&
        !(slowest && slowest.tookAt <= connection.tookAt)
      )
        slowest = connection;
    return slowest;
  }

  function isStalled(connection: Connection): boolean {
    return unsent.isStalled(connection, limits.stalledMs);
  }

  function onConnection(socket: Socket): void {
    const connection = remember(socket);
    if (isDraining) return cut(connection);
    const others = peers.get(connection.key);
    const isOverOwn = !connection.isExempt && (others?.size ?? 0) > limits.connectionsPerAddress;
    if (!isOverOwn && connections.size <= limits.connections) return;
    const victim = findVictim(isOverOwn ? (others ?? null) : null, connection);
    if (victim) return cut(victim);
    forget(connection);
    // Small enough to go out in one piece, whatever the client reads.
    socket.end(
      `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${RETRY_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    socket.destroySoon();
  }

  /** Takes the memory back from readers that take nothing, the largest answers first. */
  function cutStalled(): void {
    const stalled = [...connections.values()].filter((each) => each.unsent > 0 && isStalled(each));
    for (const connection of stalled.sort((a, b) => b.unsent - a.unsent)) {
      if (unsent.bytes <= limits.unsentBytes) return;
      cut(connection);
      unsent.release(connection);
    }
  }

  function onClosed(connection: Connection, response: ServerResponse): void {
    connection.responses.delete(response);
    if (connection.responses.size > 0 || !connections.has(connection.socket)) return;
    connection.request = null;
    if (isDraining) connection.socket.destroySoon();
    else move(connection, "idle");
  }

  server.on("connection", onConnection);

  return {
    admit(request, response) {
      const connection = connections.get(request.socket);
      // Its place was given away while its request came.
      if (!connection) return false;
      if (connection.responses.size >= limits.pipelinedRequests) return refuse(response, 503);
      if (request.rawHeaders.length > 2 * limits.headerLines) return refuse(response, 431);
      if (isDraining) response.setHeader("Connection", "close");
      connection.request = request;
      connection.responses.add(response);
      response.once("close", () => onClosed(connection, response));
      // One that still receives an earlier body keeps its place in the order.
      const phase = hasBody(request) ? "receiving" : "answering";
      if (connection.phase !== phase) move(connection, phase);
      return true;
    },
    hasRoomFor(context) {
      unsent.measure();
      if (unsent.bytes === 0) return true;
      if (unsent.bytes > limits.unsentBytes) cutStalled();
      // `env` is what the adapter passes, typed by nobody.
      const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
      const connection = incoming && connections.get(incoming.socket);
      const own = connection && !connection.isExempt ? unsent.bytesOf(connection.key) : 0;
      return own <= limits.unsentBytesPerAddress && unsent.bytes <= limits.unsentBytes;
    },
    sweep() {
      unsent.measure();
      for (const connection of connections.values())
        if (unsent.isStalled(connection, limits.unreadMs)) cut(connection);
    },
    drain() {
      isDraining = true;
      for (const connection of connections.values()) {
        const { socket, responses } = connection;
        const hasBegun = responses.size > 0 || (connection.phase === "receiving" && socket.bytesRead > 0);
        if (!hasBegun) cut(connection);
        for (const response of responses)
          if (!response.headersSent) response.setHeader("Connection", "close");
      }
    },
    get isDraining() {
      return isDraining;
    },
    get size() {
      return connections.size;
    },
    get unsentBytes() {
      unsent.measure();
      return unsent.bytes;
    },
  };
}

function refuse(response: ServerResponse, status: 431 | 503): false {
  response.writeHead(status, {
    "Content-Length": 0,
    Connection: "close",
    ...(status === 503 && { "Retry-After": RETRY_SECONDS }),
  });
  response.end();
  return false;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}
