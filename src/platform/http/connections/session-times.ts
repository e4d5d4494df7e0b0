/** Time-outs that Node lacks, for requests and HTTP/2 sessions; Node has the others of HTTP/1.1 (`http.createServer`). */
import { constants } from "node:http2";
import { type Connection, type Exchange, isComing } from "./connection.ts";

export interface RequestLimits {
  /** Milliseconds for a whole request. */
  requestMs: number;
  /** The same for an upload of a known sender. */
  uploadMs: number;
  /** Minimum bytes of such an upload in each window of `uploadWindowMs` milliseconds. */
  uploadBytes: number;
  uploadWindowMs: number;
}

export interface SessionLimits extends RequestLimits {
  /** Milliseconds that a session may stay open without a request. */
  idleMs: number;
  /**
   * Milliseconds without a byte from a client that waits for an answer; then it is pinged (PING), and has the same time again to
   * reply.
   */
  silenceMs: number;
  /** Milliseconds for the client to close a connection that the server has ended. */
  closingMs: number;
}

/** Applies the limits to a connection with a session. @returns whether the connection must be cut */
export function isSessionOver(connection: Connection, now: number, limits: SessionLimits): boolean {
  const { session, socket, exchanges } = connection;
  if (!session) return false;
  for (const exchange of exchanges) {
    const { response } = exchange;
    if (isTooSlow(exchange, now, limits) && "stream" in response)
      response.stream.close(constants.NGHTTP2_CANCEL);
  }
  const idleFor = now - connection.phaseSince;
  if (exchanges.size === 0) {
    if (session.closed || session.destroyed) return idleFor >= limits.closingMs;
    if (idleFor < limits.idleMs) return false;
    // Pings do not keep it open: a client that needs it again reconnects with its next request.
    session.close();
    connection.phaseSince = now;
    return false;
  }
  if (socket.bytesRead !== connection.arrived) {
    connection.arrived = socket.bytesRead;
    connection.arrivedAt = now;
    connection.isAsked = false;
    return false;
  }
  const silentFor = now - connection.arrivedAt;
  if (silentFor < limits.silenceMs || session.destroyed) return false;
  if (!connection.isAsked) session.ping(() => {});
  connection.isAsked = true;
  return silentFor >= 2 * limits.silenceMs;
}

/** Whether a request should have arrived by now. */
function isTooSlow({ request, startedAt, upload }: Exchange, now: number, limits: RequestLimits): boolean {
  if (upload) {
    const { pace } = upload;
    if (pace.isHeld || pace.receivedBytes - upload.markedBytes >= limits.uploadBytes) {
      upload.markedAt = now;
      upload.markedBytes = pace.receivedBytes;
    }
    if (now - upload.markedAt < limits.uploadWindowMs && now - startedAt < limits.uploadMs) return false;
  } else if (now - startedAt < limits.requestMs) return false;
  return isComing(request);
}

/** An HTTP/1.1 request that should have arrived by now. Node has only one limit for all requests. */
export function findTooSlow(connection: Connection, now: number, limits: RequestLimits): Exchange | null {
  const { exchanges, leftover } = connection;
  for (const exchange of exchanges) if (isTooSlow(exchange, now, limits)) return exchange;
  if (!leftover) return null;
  if (!isComing(leftover.request)) connection.leftover = null;
  return isTooSlow(leftover, now, limits) ? leftover : null;
}
