/** Every cap of `guardConnections`; whoever starts a server chooses the figures. */
import type { SessionLimits } from "./session-times.ts";

/** Seconds that a client is told to wait when there is no place. */
export const RETRY_SECONDS = 5;

export interface ConnectionLimits extends SessionLimits {
  /** Connections at once, for all clients. */
  connections: number;
  /** Connections at once for one client; see `addressKey`. */
  connectionsPerAddress: number;
  /** Requests at once on all connections, and on one client's: HTTP/2 has many per connection. */
  requests: number;
  requestsPerAddress: number;
  /** Requests that one HTTP/1.1 connection may send ahead of their answers. */
  pipelinedRequests: number;
  /** Requests at once on one HTTP/2 connection, which Node limits. */
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
  /**
   * Milliseconds after which it loses its place in any case; in HTTP/2 only the answer that it does not take.
   */
  unreadMs: number;
}
