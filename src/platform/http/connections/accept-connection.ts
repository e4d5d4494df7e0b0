/** How a connection gets its place, and what it becomes: a TLS socket, an HTTP/2 session. */
import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Client, type Connection, createConnection } from "./connection.ts";
import { cutConnection, type GuardState, isStalled } from "./guard-state.ts";
import { LARGE_SHARE, RETRY_SECONDS, sharesOf } from "./connection-limits.ts";

// Small enough to be sent in one piece, even if the client does not read.
const NO_PLACE = `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${RETRY_SECONDS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

export function acceptConnection(state: GuardState, socket: Socket): void {
  const { places, limits, isDraining } = state;
  const connection = createConnection(socket, state.clock(), state.isExempt);
  state.carried.set(socket, connection);
  places.add(connection);
  socket.once("close", () => places.remove(connection));
  if (isDraining) return cutConnection(state, connection);
  const full = findFull(state, connection);
  if (full) return makeRoomFor(state, connection, full.connections);
  if (places.all.size > limits.connections) makeRoomFor(state, connection, null);
}

/** The client, or the narrowest network around it, that exceeds its share. */
function findFull({ limits }: GuardState, connection: Connection): Client | undefined {
  if (connection.isExempt) return undefined;
  const shares = sharesOf(connection, limits.connectionsPerAddress, limits.connections);
  return connection.clients.find(({ connections }, level) => connections.size > shares[level]!);
}

/** @param among connections of the client that must give up a place; null: any client's, of a large network first */
function makeRoomFor(state: GuardState, newcomer: Connection, among: ReadonlySet<Connection> | null): void {
  const { places, limits, unsent, isTls } = state;
  unsent.measure();
  const find = (from: ReadonlySet<Connection> | null) =>
    places.findVictim(from, newcomer, (connection) => isStalled(state, connection));
  const first = among ?? places.findLargest(limits.connections * LARGE_SHARE);
  const victim = (first && find(first)) ?? (among ? null : find(null));
  if (victim) return cutConnection(state, victim);
  const { socket } = newcomer;
  places.remove(newcomer);
  if (isTls) return void socket.destroy();
  socket.end(NO_PLACE);
  socket.destroySoon();
}

export function secureConnection(state: GuardState, secure: TLSSocket, socket: Socket): void {
  const connection = state.places.all.get(socket);
  if (!connection) return void secure.destroy();
  connection.carrier = secure;
  // So far only the handshake has arrived.
  connection.arrived = socket.bytesRead;
  state.carried.set(secure, connection);
  if (state.isDraining) cutConnection(state, connection);
}

export function beginSession(state: GuardState, session: ServerHttp2Session, socket: Socket): void {
  const connection = state.places.all.get(socket);
  if (!connection) return session.destroy();
  connection.session = session;
  state.carried.set(session, connection);
  state.places.move(connection, "idle");
  if (state.isDraining) session.close();
}
