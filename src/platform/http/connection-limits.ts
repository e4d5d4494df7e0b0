/** Every cap of `guardConnections`; who starts a server chooses the figures. */
import type { SessionLimits } from "./session-times.ts";

/** Seconds that a client is told to wait when there is no place. */
export const RETRY_SECONDS = 5;

export interface ConnectionLimits extends SessionLimits {
  /** Connections at once, of all clients. */
  connections: number;
  /** Connections at once of one client; see `addressKey`. */
  connectionsPerAddress: number;
  /** Requests at once on all connections, and on those of one client: HTTP/2 has many on each. */
  requests: number;
  requestsPerAddress: number;
  /** Requests that one connection of HTTP/1.1 may have sent ahead of their answers. */
  pipelinedRequests: number;
  /** Requests after which an HTTP/2 connection is closed. Node counts those of HTTP/1.1. */
  requestsPerConnection: number;
  /** Header lines of a request. */
  headerLines: number;
  /** Bytes of all header lines of an HTTP/2 request, for which Node has a limit of 64 KiB. It counts those of HTTP/1.1. */
  headerBytes: number;
  /** Bytes of answers made on request that wait for their readers, of all clients. */
  unsentBytes: number;
  /** The same for one client. */
  unsentBytesPerAddress: number;
  /** Milliseconds after which a reader that takes nothing may lose its place to another. */
  stalledMs: number;
  /** Milliseconds after which it loses its place in any case, or, in HTTP/2, the one answer that it does not take. */
  unreadMs: number;
}
