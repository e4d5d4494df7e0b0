/**
 * Streams that a client opens and takes back cost the server work that it never sees (rapid reset). Node counts them for a
 * session, with one limit for all; a build that is stopped takes thousands back at once. So Node's limit is that of clients
 * that are known, and strangers have a smaller one here.
 */
import type { Http2ServerResponse, Http2Session, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";

/**
 * Streams that a stranger's session may take back at once, and how many more a second: leaving a page while it loads takes
 * 100 back, typing a search 10 a second.
 */
const STRANGER_BURST = 300;
const STRANGER_PER_SECOND = 20;
/**
 * Of one session altogether; then the client is told to open another. Each may leave 6 KB behind for as long as the session
 * lasts: 4 MB.
 */
export const STRANGER_RESETS = 600;

/**
 * Bytes that a known client may send ahead of the server, of one stream and of all: with HTTP/2's 64 KiB an upload over a way
 * of 50 ms has 1.3 MB/s, with these 5. Node counts bytes of a session as read when they come, so a stream that nobody reads
 * holds its window in memory: 512 of them 128 MB.
 */
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_WINDOW_BYTES = 4 * 1024 * 1024;

/** Sessions that may do so at once: what they have sent ahead is in memory until somebody reads it. */
const MAX_WIDE_SESSIONS = 32;

let wideSessions = 0;
const wide = new WeakSet<Http2Session>();
const trusted = new WeakSet<Http2Session>();
const buckets = new WeakMap<Http2Session, { left: number; at: number; count: number }>();

/** Its client has shown who it is. */
export function trustSession(session: Http2Session): void {
  if (session.destroyed) return;
  trusted.add(session);
  if (wide.has(session) || wideSessions >= MAX_WIDE_SESSIONS) return;
  wide.add(session);
  wideSessions += 1;
  session.once("close", () => (wideSessions -= 1));
  session.setLocalWindowSize(SESSION_WINDOW_BYTES);
  session.settings({ initialWindowSize: STREAM_WINDOW_BYTES });
}

/**
 * Whether the client has taken back a stream by a reset with NO_ERROR. Node then waits for an end of the answer that never
 * comes: the stream stays, with its memory and all that its answer holds, and `close` does nothing any more.
 */
export function isTakenBack(stream: ServerHttp2Stream): boolean {
  // One that the server itself has closed is there until its answer has gone.
  return stream.closed && !stream.destroyed && stream.state.state === constants.NGHTTP2_STREAM_STATE_IDLE;
}

/** Called when a request's stream has closed; ends the session of a stranger that takes back too many: at once, or, if they came slowly, when its answers have gone. */
export function countReset({ stream }: Http2ServerResponse, session: Http2Session, now: number): void {
  const isReset = stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  if (!isReset && stream.writableFinished) return;
  if (trusted.has(session) || session.destroyed) return;
  const { left, at, count } = buckets.get(session) ?? { left: STRANGER_BURST, at: now, count: 0 };
  const filled = Math.min(STRANGER_BURST, left + ((now - at) / 1000) * STRANGER_PER_SECOND);
  buckets.set(session, { left: filled - 1, at: now, count: count + 1 });
  if (filled < 1) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  else if (count + 1 >= STRANGER_RESETS && !session.closed) session.close();
}
