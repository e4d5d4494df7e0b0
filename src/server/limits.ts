/**
 * Every server-wide limit on clients, for all kinds of requests. The content of a request is limited where it is answered
 * (`search-server/protocol/limits.ts`, `telemetry/contract/limits.ts`). One search takes 0.3 ms of CPU time, a page that is rendered on request
 * about 20 ms.
 */
import type { ServerOptions as Http2Options } from "node:http2";
import type { ConnectionLimits } from "#platform/http/connections/connection-limits.ts";

/**
 * Characters of path and query together; longer addresses are answered 414. The site's own links are below
 * 200.
 */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/**
 * Connections of one process; fewer if the system allows fewer open files. A waiting connection takes about 4 KB (HTTP/2: 50).
 */
const MAX_CONNECTIONS = 4096;
/**
 * Share of it for one client; a network around it may have half of all. A browser has 6 at most, so an office of 170 could load a
 * page in the same second.
 */
const MAX_CONNECTIONS_PER_ADDRESS = 1024;
/**
 * Concurrent requests, per process and per client; HTTP/2 could have 100 on each of 4096 connections. A page being rendered takes
 * about 60 KB. At 50 ms each, 512 are 10,000 a second.
 */
const MAX_REQUESTS = 2048;
const MAX_REQUESTS_PER_ADDRESS = 512;
/** Header lines of a request. Browsers send 20, proxies add 10. */
const MAX_HEADER_LINES = 100;
/** Open files reserved for databases, index files, and connections to other services. */
const RESERVED_FILES = 128;
/** If the limit is lower, this share of it is reserved for them. */
const RESERVED_SHARE = 0.25;
/** Used if the system does not report how many files may be open; every system allows 256. */
const ASSUMED_FILES = 256;

const MEBIBYTE = 1024 * 1024;

/** How long parts of a request and an answer may take, as options of `http.createServer`. */
export const SERVER_TIMES = {
  /** Milliseconds for a request's headers, from the start of the connection or from its first byte. */
  headersTimeout: 10_000,
  /** Milliseconds for a whole request: enough for 100 MB of documents at 7 Mbit/s. */
  requestTimeout: 120_000,
  /** Milliseconds between two checks of both. */
  connectionsCheckingInterval: 2_000,
  /** Milliseconds that a connection may be idle: longer than in proxies (60 s), so that no proxy uses a closed connection. */
  keepAliveTimeout: 65_000,
  /** Bytes of all header lines together. */
  maxHeaderSize: 16 * 1024,
};

/** Milliseconds without a byte in either direction, while a request is sent or an answer is made. */
export const SILENCE_TIMEOUT_MS = 30_000;

/** Milliseconds for the first bytes of a connection, which show its protocol. */
export const FIRST_BYTES_MS = SERVER_TIMES.headersTimeout;

/** Milliseconds for a TLS handshake, which takes two round trips. */
export const TLS_HANDSHAKE_MS = 10_000;

/** RFC 9113 (6.5.2) advises no fewer; a browser's page asks for 50. */
const STREAMS_PER_CONNECTION = 100;

/** Limits of one HTTP/2 session, enforced by Node. */
export const HTTP2_OPTIONS: Http2Options = {
  settings: {
    maxConcurrentStreams: STREAMS_PER_CONNECTION,
    maxHeaderListSize: SERVER_TIMES.maxHeaderSize,
  },
  // Plus the four lines that replace a request's first line.
  maxHeaderListPairs: MAX_HEADER_LINES + 4,
  /**
   * Mebibytes of a session's frames and tables. Answers enter it in steps of 16 KiB: 1.6 for 100 streams. Node never
   * subtracts the waiting bytes of a cancelled stream, though it frees the memory, and eventually refuses all streams: so this is
   * one step for each request that a connection may have. The real leftovers of a stranger are limited in
   * platform/http/connections/stream-resets.ts.
   */
  maxSessionMemory: 4 + 160,
  maxSettings: 16,
  maxOutstandingPings: 4,
  // Bytes that still arrive for reset streams are invalid, and requests beyond the concurrency limit are rejected: stopping a
  // build causes thousands.
  maxSessionInvalidFrames: 10_000,
  maxSessionRejectedStreams: 10_000,
  // All incoming resets, of any stream and any client: twice the limit of a trusted proxy. Smaller numbers are judged, by kind of
  // client, in platform/http/connections/stream-resets.ts.
  streamResetBurst: 2_000,
  streamResetRate: 400,
};

/**
 * Milliseconds in which a reader must take something of an answer; a phone in a tunnel survives a shorter pause. In HTTP/2 each
 * answer is timed separately, in steps of 16 KiB.
 */
const UNREAD_MS = 30_000;

/** Milliseconds for one upload to the cache: 2 GB at 2 Mbit/s take 2 h 15 min. */
const UPLOAD_MS = 3 * 60 * 60 * 1000;
/** Minimum bytes in each 30 s of it: 70 kbit/s. */
const UPLOAD_BYTES = 256 * 1024;
const UPLOAD_WINDOW_MS = 30_000;

/** Milliseconds for an HTTP/2 client to close a connection that the server has ended. */
const CLOSING_MS = 2_000;

/** Milliseconds between two checks for readers that take nothing. */
export const SWEEP_MS = 1_000;

/** Requests after which a connection is closed, so that clients redistribute over servers. */
export const REQUESTS_PER_CONNECTION = 10_000;

/** Milliseconds for requests in flight once the server is stopping; systemd kills after 90 s, Kubernetes after 30 s. */
export const DRAIN_MS = 20_000;

/**
 * A terminal sends one Ctrl-C to every process, and npm and the launcher forward it: signals within this time, in milliseconds,
 * count as one.
 */
export const SAME_SIGNAL_MS = 1_000;

/**
 * @param openFiles the process's limit of open files, null if unknown
 * @param openNow its open files, without connections
 */
export function connectionLimits(openFiles: number | null, openNow: number | null): ConnectionLimits {
  const files = openFiles ?? ASSUMED_FILES;
  const reserved = Math.min(RESERVED_FILES, Math.ceil(files * RESERVED_SHARE));
  const free = files - reserved - (openNow ?? RESERVED_FILES / 2);
  const connections = Math.max(8, Math.min(MAX_CONNECTIONS, free));
  return {
    connections,
    connectionsPerAddress: Math.min(MAX_CONNECTIONS_PER_ADDRESS, Math.ceil(connections / 2)),
    // Browsers and proxies send one at a time.
    pipelinedRequests: 16,
    requests: MAX_REQUESTS,
    requestsPerAddress: MAX_REQUESTS_PER_ADDRESS,
    streamsPerConnection: STREAMS_PER_CONNECTION,
    requestsPerConnection: REQUESTS_PER_CONNECTION,
    headerLines: MAX_HEADER_LINES,
    headerBytes: SERVER_TIMES.maxHeaderSize,
    // A search's answer has 20 KB, at most 4 MB: readers that take nothing cost as much as 16 of the largest.
    unsentBytes: 64 * MEBIBYTE,
    unsentBytesPerAddress: 16 * MEBIBYTE,
    stalledMs: 2_000,
    unreadMs: UNREAD_MS,
    requestMs: SERVER_TIMES.requestTimeout,
    uploadMs: UPLOAD_MS,
    uploadBytes: UPLOAD_BYTES,
    uploadWindowMs: UPLOAD_WINDOW_MS,
    idleMs: SERVER_TIMES.keepAliveTimeout,
    silenceMs: SILENCE_TIMEOUT_MS,
    closingMs: CLOSING_MS,
  };
}
