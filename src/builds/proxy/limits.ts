/** What a client of a builder may use. A client has a certificate, so these bound one that goes wrong, or is hostile. */

/** Of all builds, tunnels among them; half of them of one organization. */
export const MAX_CONNECTIONS = 1024;
/** Of those, for builds of which this server does not know whose they are. */
export const MAX_UNKNOWN = 256;
/** Of one build and platform: buildx has one, and another for each builder that it asks for its state. */
export const MAX_BUILD_CONNECTIONS = 16;
/** The log says again that somebody has too many connections, in milliseconds after the last time. */
export const TOLD_AGAIN_MS = 60_000;
/** Sockets that have not shown a certificate; another one ends the oldest. */
export const MAX_HANDSHAKES = 256;
export const HANDSHAKE_MS = 10_000;
/** Of a tunnel: what clients read at once, and what one of them can make this server hold. */
export const TUNNEL_FRAME_BYTES = 64 * 1024;
/** A connection of a build that has asked for nothing to be built. Bake connects first and waits for targets elsewhere. */
export const UNSOLVED_MS = 30 * 60_000;
/** A connection of a build without a record: its client asks at once, and is told that the build has ended. */
export const NO_RECORD_MS = 5_000;
/** A client that does not answer two of these in a row is gone. */
export const PING_MS = 20_000;

/** At once, of one connection: Bake with 20 targets has about 100. */
export const MAX_STREAMS = 256;
/** Streams that a client may take back at once, and each second: Bake that is stopped takes all of them. Node has its own 1,000. */
export const RESETS = { streamResetBurst: MAX_STREAMS, streamResetRate: 50 };
/** The names of all services of a client's session come as headers: about 2 KB. */
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 128;
/** Errors carry the Dockerfile in their trailers. */
export const MAX_TRAILER_BYTES = 1024 * 1024;

/**
 * Bytes that one side may send before the other has read them, of one stream and of a connection: what a slow reader makes
 * this server hold. Measured in bench/builds.md.
 */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * So much memory of bytes that have been passed on waits to be freed, of all connections. V8 lets its memory grow by as little as
 * 8 MB before it goes through all of it. Measured in bench/builds.md.
 */
export const COLLECT_BYTES = 4 * 1024 * 1024;

/** As in BuildKit. */
export const MAX_SOLVE_BYTES = 16 * 1024 * 1024;
/** Of a question of a few fields. */
export const MAX_QUESTION_BYTES = 16 * 1024;
/** Of a call that is let through unread, unless it is a stream. */
export const MAX_CALL_BYTES = 16 * 1024 * 1024;
/** Bytes of requests that are read whole, of all builds. */
export const JUDGED_BYTES = 64 * 1024 * 1024;
export const JUDGED_WAIT_MS = 20_000;
/** From the head of a call that is read whole to its end. */
export const REQUEST_MS = 30_000;
/** Messages within messages: a definition within the sources of a definition is 8 deep. */
export const MAX_DEPTH = 24;
/** Fields of one message with all that is in it: a graph of 5,000 steps has 100,000. */
export const MAX_FIELDS = 200_000;
/** Of one build and platform. */
export const MAX_SOLVES = 1000;
/** Of one build and platform, at once. */
export const MAX_SESSIONS = 1000;
/** How long a question about a build waits for the build: clients send both at the same time. */
export const REF_WAIT_MS = 10_000;
/** Digests that the history of one build names. */
export const MAX_DIGESTS = 10_000;
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** Of this server, to pass a client on: it is shown once. */
export const RELAY_CERTIFICATE_MS = 10 * 60 * 1000;
/** Bytes of a client that are held while the other server does not answer yet; HTTP/2 begins with some hundred. */
export const MAX_EARLY_BYTES = 64 * 1024;
/** A connection to another server without a byte for so long is ended. */
export const RELAY_SILENCE_MS = 4 * PING_MS;
export const SERVER_CERTIFICATE_MS = 90 * 24 * 60 * 60 * 1000;
/** A connection that is cut may tell why for that long. */
export const GOODBYE_MS = 1000;
