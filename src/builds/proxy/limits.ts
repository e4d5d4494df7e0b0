/** Limits for a client of a builder. A client has a certificate, so these bound a client that is faulty or hostile. */

/** Connections of all builds, including tunnels; one organization has at most half of them. */
export const MAX_CONNECTIONS = 1024;
/** Share of it for builds whose organization is unknown to this server. */
export const MAX_UNKNOWN = 256;
/** Connections per build and platform: buildx has one, and another for each builder whose state it reads. */
export const MAX_BUILD_CONNECTIONS = 16;
/** Milliseconds until the log repeats that an organization or a build has too many connections. */
export const TOLD_AGAIN_MS = 60_000;
/** Sockets without a certificate so far; one more ends the oldest. */
export const MAX_HANDSHAKES = 256;
export const HANDSHAKE_MS = 10_000;
/** For tunnels: what clients read at once, and how much one client can make this server hold. */
export const TUNNEL_FRAME_BYTES = 64 * 1024;
/** For a connection whose build has not solved anything. Bake connects first and waits for targets elsewhere. */
export const UNSOLVED_MS = 30 * 60_000;
/** For a connection of a build without a record: its client calls immediately, and gets the error that the build has ended. */
export const NO_RECORD_MS = 5_000;
/** Interval of pings; a client that misses two in a row is gone. */
export const PING_MS = 20_000;

/** Simultaneous streams of one connection: Bake with 20 targets has about 100. */
export const MAX_STREAMS = 256;
/** Streams that a client may reset at once, and per second: stopping Bake resets all of them. Node's own limit is 1,000. */
export const RESETS = { streamResetBurst: MAX_STREAMS, streamResetRate: 50 };
/** A client's session sends the names of all its services as headers: about 2 KB. */
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 128;
/** Errors have the Dockerfile in their trailers. */
export const MAX_TRAILER_BYTES = 1024 * 1024;

/**
 * Bytes that one side may send before the other has read them, per stream and per connection: what a slow reader makes this server
 * hold. Measured in bench/builds.md.
 */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * Forwarded bytes of all connections whose memory may wait to be freed. V8 scans its whole heap after a growth of as little as 8
 * MB. Measured in bench/builds.md.
 */
export const COLLECT_BYTES = 4 * 1024 * 1024;

/** BuildKit's own limit. */
export const MAX_SOLVE_BYTES = 16 * 1024 * 1024;
/** For a request with a few fields. */
export const MAX_QUESTION_BYTES = 16 * 1024;
/** For a call that is forwarded unread, unless it is a stream. */
export const MAX_CALL_BYTES = 16 * 1024 * 1024;
/** Total bytes of requests that are read whole, for all builds. */
export const JUDGED_BYTES = 64 * 1024 * 1024;
export const JUDGED_WAIT_MS = 20_000;
/** From the head of a call that is read whole to its end. */
export const REQUEST_MS = 30_000;
/** Nesting of messages: a definition within the sources of a definition is 8 deep. */
export const MAX_DEPTH = 24;
/** Fields of one message, including nested messages: a graph of 5,000 steps has 100,000. */
export const MAX_FIELDS = 200_000;
/** Per build and platform. */
export const MAX_SOLVES = 1000;
/** Simultaneous, per build and platform. */
export const MAX_SESSIONS = 1000;
/** How long a request about a build waits for the build: clients send both at the same time. */
export const REF_WAIT_MS = 10_000;
/** Digests in the history of one build. */
export const MAX_DIGESTS = 10_000;
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** Lifetime of this server's certificate for a forwarded client: it is shown once. */
export const RELAY_CERTIFICATE_MS = 10 * 60 * 1000;
/** Bytes of a client that are held until the other server answers; HTTP/2 begins with a few hundred. */
export const MAX_EARLY_BYTES = 64 * 1024;
/** A connection to another server is ended after this time without a byte. */
export const RELAY_SILENCE_MS = 4 * PING_MS;
export const SERVER_CERTIFICATE_MS = 90 * 24 * 60 * 60 * 1000;
/** How long a connection that is cut has to send the reason. */
export const GOODBYE_MS = 1000;
