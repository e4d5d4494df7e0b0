/** All limits of `guardConnections`; the caller that starts a server chooses the figures. */
import type { Connection } from "./connection.ts";
import type { SessionLimits } from "./session-times.ts";

/**
 * The maximum of each of a client's totals, from its own to its widest network's: a network has at most half, or its owner could
 * take everything.
 */
export const sharesOf = ({ clients }: Pick<Connection, "clients">, client: number, all: number): number[] =>
  clients.map((_, level) => (level === 0 ? client : Math.max(client, all / 2)));

/** A network with more than this share of all connections loses one first when there are too many. */
export const LARGE_SHARE = 1 / 4;

/** Seconds after which a client without a place is told to retry. */
export const RETRY_SECONDS = 5;

export interface ConnectionLimits extends SessionLimits {
  /** Concurrent connections, for all clients. */
  connections: number;
  /** Concurrent connections of one client; see `addressKey`. */
  connectionsPerAddress: number;
  /** Concurrent requests on all connections, and on one client's: HTTP/2 has many per connection. */
  requests: number;
  requestsPerAddress: number;
  /** Requests that one HTTP/1.1 connection may send ahead of their answers. */
  pipelinedRequests: number;
  /** Concurrent requests on one HTTP/2 connection, enforced by Node. */
  streamsPerConnection: number;
  /** Requests after which an HTTP/2 connection is closed. Node counts those of HTTP/1.1. */
  requestsPerConnection: number;
  /** Header lines of a request. */
  headerLines: number;
  /**
   * Bytes of all header lines of an HTTP/2 request, where Node's limit is 64 KiB. Node counts those of
   * HTTP/1.1.
   */
  headerBytes: number;
  /** Bytes of answers made on request that wait for their readers, for all clients. */
  unsentBytes: number;
  /** The same for one client. */
  unsentBytesPerAddress: number;
  /** Milliseconds after which a reader that takes nothing may lose its place to another. */
  stalledMs: number;
  /** Milliseconds after which it always loses its place; in HTTP/2 only the answer that it does not take. */
  unreadMs: number;
}
