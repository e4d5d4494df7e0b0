/** Time-outs of HTTP/2 sessions, which Node lacks; it has those of HTTP/1.1 (`http.createServer`). */
import { constants } from "node:http2";
import { type Connection, isComing } from "./connection.ts";

export interface SessionLimits {
  /** Milliseconds for a whole request. */
  requestMs: number;
  /** Milliseconds that a session may stay without a request. */
  idleMs: number;
  /**
   * Milliseconds without a byte from a client that waits for an answer; then it is asked (PING) whether it is
   * still there, and has the same time again to reply.
   */
  silenceMs: number;
  /** Milliseconds for the client to close a connection that the server has ended. */
  closingMs: number;
}

/** Applies the limits to a connection with a session. @returns whether the connection must be cut */
export function isSessionOver(connection: Connection, now: number, limits: SessionLimits): boolean {
  const { session, socket, exchanges } = connection;
  if (!session) return false;
  for (const { request, response, startedAt } of exchanges)
    if (now - startedAt >= limits.requestMs && isComing(request) && "stream" in response)
      response.stream.close(constants.NGHTTP2_CANCEL);
  const idleFor = now - connection.phaseSince;
  if (exchanges.size === 0) {
    if (session.closed || session.destroyed) return idleFor >= limits.closingMs;
    if (idleFor < limits.idleMs) return false;
    // Pings do not keep it open: a client that needs it for its next request opens it again.
    session.close();
    connection.phaseSince = now;
    return false;
  }
  if (socket.bytesRead !== connection.heard) {
    connection.heard = socket.bytesRead;
    connection.heardAt = now;
    connection.isAsked = false;
    return false;
  }
  const silentFor = now - connection.heardAt;
  if (silentFor < limits.silenceMs || session.destroyed) return false;
  if (!connection.isAsked) session.ping(() => {});
  connection.isAsked = true;
  return silentFor >= 2 * limits.silenceMs;
}
